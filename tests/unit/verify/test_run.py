"""How a check ends, what the report says of it, and what the quotation says before: no engine here."""

from typing import cast

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from verify.check import Check, Outcome
from verify.checks import CHECKS
from verify.errors import NotHeldError, NotTriedError
from verify.kit import Kit
from verify.run import attempt

NO_KIT = cast(Kit, None)


def made_up(outcome: Exception | str) -> Check:
    def trial(kit: Kit) -> str:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return Check("made-up", "It holds.", "https://docs.aws.amazon.com/made-up", "Nothing.", trial)


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "made up"}}, "Scan")


@pytest.mark.parametrize(
    ("raised", "outcome"),
    [
        ("seen", Outcome.HELD),
        (NotHeldError("seen"), Outcome.NOT_HELD),
        (NotTriedError("why"), Outcome.NOT_TRIED),
        (refused("ValidationException"), Outcome.NOT_HELD),
        (refused("ResourceNotFoundException"), Outcome.NOT_HELD),
        (refused("AccessDeniedException"), Outcome.NOT_TRIED),
        (refused("AccessDenied"), Outcome.NOT_TRIED),
        (refused("UnknownOperationException"), Outcome.NOT_TRIED),
        (refused("LimitExceededException"), Outcome.NOT_TRIED),
        (refused("404"), Outcome.NOT_TRIED),
        (EndpointConnectionError(endpoint_url="http://nowhere"), Outcome.NOT_TRIED),
        (KeyError("ConsumedCapacity"), Outcome.NOT_HELD),
        (RuntimeError("a defect of the check"), Outcome.NOT_TRIED),
    ],
    ids=repr,
)
def test_a_check_ends_by_what_its_trial_returns_or_raises(raised: Exception | str, outcome: Outcome) -> None:
    ended, seen = attempt(NO_KIT, made_up(raised))
    assert ended is outcome
    assert seen


def test_every_check_is_whole() -> None:
    for name, each in CHECKS.items():
        assert name == each.name
        assert each.assumption.endswith(".")
        assert each.breaks.endswith(".")
        assert each.source.startswith("https://docs.aws.amazon.com/")
