"""How a check ends, what the report says of it, and what the quotation says before: no engine here."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from verify import check as checking
from verify.check import Check, Outcome, check, hold
from verify.checks import CHECKS
from verify.errors import NotHeldError, NotTriedError
from verify.kit import Kit
from verify.quote import dollars, quote, seconds
from verify.report import Report
from verify.run import attempt, run

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


def test_holding_says_what_was_seen() -> None:
    hold(True, "nothing")
    with pytest.raises(NotHeldError, match=r"^3 of 4$"):
        hold(False, "3 of 4")


def test_two_checks_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "REGISTERED", {})
    register: Any = check("one", "It holds.", source="https://docs.aws.amazon.com", breaks="Nothing.")
    register(made_up("seen").trial)
    with pytest.raises(ValueError, match="two checks named one"):
        register(made_up("seen").trial)


def report(left: tuple[str, ...] = (), *, interrupted: bool = False) -> Report:
    outcomes: list[Exception | str] = ["a | b", NotHeldError("0.6 units"), NotTriedError("no permission")]
    ticks = iter(range(100))
    findings = list(run(NO_KIT, map(made_up, outcomes), clock=lambda: float(next(ticks))))
    began = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return Report("dev", "eu-central-1", "111111111111", began, 61.5, findings, left, interrupted)


def test_the_report_begins_with_what_needs_attention(tmp_path: Path) -> None:
    document = report(("table x: refused",), interrupted=True).write(tmp_path / "verify")
    assert document.name == "dev-eu-central-1-20260102-030405.json"
    said = json.loads(document.read_text())
    assert said["counts"] == {"held": 1, "did not hold": 1, "could not be tried": 1}
    assert [finding["outcome"] for finding in said["findings"]] == ["did not hold", "could not be tried", "held"]
    assert said["findings"][2] | {"seen": "a | b", "seconds": 1.0} == said["findings"][2]
    assert (said["interrupted"], said["left"]) == (True, ["table x: refused"])
    assert report().summary == "3 assumptions: 1 held, 1 could not be tried, 1 did not hold"


def test_the_quotation_has_the_minutes_and_dollars_of_the_request() -> None:
    every = list(CHECKS.values())
    one = [CHECKS["put-once"]]
    assert 0 < dollars(one) < dollars(every) <= 0.10
    assert 60 < seconds(one) < seconds(every)
    assert round(seconds(every) / 60) <= 25
    said = "\n".join(quote(every, "Dev", "111111111111", "us-east-1"))
    for word in (
        f"{len(every)} checks",
        "111111111111",
        "skipscan-verify-dev-",
        "CloudFormation stack verify-skipscan-Dev",
    ):
        assert word in said


def test_every_check_is_whole() -> None:
    for name, each in CHECKS.items():
        assert name == each.name
        assert each.assumption.endswith(".")
        assert each.breaks.endswith(".")
        assert each.source.startswith("https://docs.aws.amazon.com/")
