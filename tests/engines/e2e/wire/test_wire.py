"""Answers that are bent on the wire, between the unchanged SDK and an engine, for every call that the product makes."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from botocore import xform_name
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws.answer import ALWAYS, CutAnswerError
from skipscan.aws.faults import fault
from skipscan.errors import SkipscanError
from skipscan.pace.pace import Fault
from tests.engines.e2e.proxy import Call
from tests.engines.e2e.wire.calls import CALLS, NOT_REACHED, is_of
from tests.engines.e2e.wire.faults import FAULTS
from tests.engines.e2e.wire.world import World, world
from tests.fakes.hostile.refusal import model

pytestmark = pytest.mark.xdist_group("embedded")

SAMPLE = ("a web page", "empty")
RIGHT_ALL_THE_SAME = {"delivered twice", "of another checksum", "shorter than it says"}
"""What is read is what was sent, all of it: of two same answers the first; boto3 compares no checksum in its standard
mode, and takes a whole document for one."""
ANY_JSON = {"lambda:Invoke"}
"""A function's answer is its own: any JSON is one."""
JSON = {"a list", "a null", "an empty object", "without its fields"}
NOT_KNOWN: dict[str, Any] = {
    "dynamodb:Scan, an index's count": None,
    "dynamodb:DescribeContinuousBackups": None,
    "pricing:GetProducts": True,
    "lambda:GetAccountSettings": True,
    "stepfunctions:GetExecutionHistory": None,  # a running execution has no refusal, and the cause says it too
}
"""The product's message where it continues without an answer: the figure is unknown, or the default applies."""
SAID_IN_HEADERS = {"s3:PutObject", "s3:HeadObject", "s3:GetObject", "s3:GetObject, a range"}
CUT = {"cut in its head", "cut in its body", "shorter than it says", "longer than it says"}
"""The headers arrived, and they have what these calls ask for. A part's content is held to the manifest's SHA-256."""


@pytest.fixture(scope="module")
def wired_account() -> Iterator[World]:
    with world() as made:
        yield made


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CALLS)
def test_a_distorted_answer_is_a_passing_fault_or_a_clear_error_and_never_success(
    wired_account: World, name: str
) -> None:
    check(wired_account, name, SAMPLE)


@pytest.mark.long
@pytest.mark.parametrize("name", CALLS)
def test_every_distorted_answer(wired_account: World, name: str) -> None:
    check(wired_account, name, [bent for bent in FAULTS if bent not in SAMPLE])


SERVICES = {name.partition(":")[0] for name in [*CALLS, *NOT_REACHED]}
NAMED = re.compile(r"""[.\"](\w+_\w+|scan|query|invoke)\b""")
"""A method that is called or kept, or a paginator's name."""

NOT_MADE = "the call was not made"


def check(account: World, name: str, bents: Iterable[str]) -> None:
    usual = repr(CALLS[name](account))
    found = {}
    for bent in bents:
        if complaint := complained(account, name, bent):
            found[bent] = complaint
        with suppress(BotoCoreError, ClientError):  # of a connection that has seen too much; the next one is new
            CALLS[name](account)
        assert repr(CALLS[name](account)) == usual, f"another's answer after one that was {bent}"
    assert found == {}


def complained(account: World, name: str, bent: str) -> str | None:
    """Return what is wrong with what the product makes of a bent answer; `None` where nothing is."""
    bends: list[str] = []

    def bend(call: Call) -> Any:
        if not is_of(call.name, name):
            return call.forward()
        bends.append(call.name)
        return FAULTS[bent](call.forward())

    try:
        with account.proxy.failing(bend):
            done = CALLS[name](account)
    except (SkipscanError, BotoCoreError, ClientError, CutAnswerError):
        return None if bends else NOT_MADE
    except Exception as error:
        return None if fault(error) is Fault.PASSING else f"{type(error).__name__}: {error}"
    if not bends:
        return NOT_MADE
    is_right = bent in RIGHT_ALL_THE_SAME or (name in SAID_IN_HEADERS and bent in CUT)
    is_right = is_right or (name in ANY_JSON and bent in JSON)
    if is_right or NOT_DONE.search(repr(done)) or (name in NOT_KNOWN and done == NOT_KNOWN[name]):
        return None
    return f"taken for done: {done!r}"


NOT_DONE = re.compile("NotAcknowledged|MalformedAnswer|TimedOut|FunctionError")
"""Reasons with which keys and messages are listed as failed."""


def test_every_call_of_the_product_gets_distorted_answers() -> None:
    bent = {name.partition(",")[0].partition(":")[2] for name in [*CALLS, *NOT_REACHED]}
    # A deployment reads and writes no table and no results; a stack is replaced or kept as it was.
    library = Path("lambdas/skipscan")
    texts = [path.read_text() for path in library.rglob("*.py") if not path.is_relative_to(library / "cli/stack")]
    names = {xform_name(name): name for service in SERVICES for name in model(service).operation_names}
    made = {names[name] for text in texts for name in NAMED.findall(text) if name in names}
    assert made - bent == set()
    assert len(made) > 25


def test_what_every_answer_has_is_said_of_calls_that_are_made() -> None:
    assert {f"{service}:{name}" for service, names in ALWAYS.items() for name in names} <= {*CALLS, *NOT_REACHED}
