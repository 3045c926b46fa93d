"""Every list of AWS is tested with a second page, every loop that asks again with a refusal, every wait with a clock.

The places are found in the product's syntax trees, and the tests by their marks. Each of these tests fails unless the
product really did there what its mark says (tests/house/suite/places.py).
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house import aws_calls
from tests.house.suite.places import KINDS
from tests.unit.aws.clients.test_clients import ELSEWHERE, MADE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sources")]

ENOUGH = "the check needs no more than one answer has"
ONE_MAP = "an execution has one Map Run, also after a redrive"
NAMED = "a stack is asked for by its name"
ONE_PAGE = {
    "verify.checks.runs:alarm.alarms": "an alarm is asked for by its name",
    "skipscan.environment.executions:find_deployment": NAMED,
    "skipscan.cli.stack.place:find_stack": NAMED,
    "skipscan.environment.executions:Executions.last": "of the newest hundred executions, as its docstring says",
    "skipscan.environment.executions:Executions.last_ended": "of the newest thousand executions, as its docstring says",
    "skipscan.environment.executions:Executions.ended_early": "of the newest hundred executions, as its docstring says",
    "skipscan.environment.executions:Executions.refusal": "of the last two events, as its docstring says",
    "skipscan.environment.executions:Executions.workers": ONE_MAP,
    "skipscan.items.sample_requests:_page.scan": "a sample takes the first page of each of its segments",
    "verify.checks.deployed:map_concurrency": ONE_MAP,
    "verify.checks.mappings:mapping": "the kit's function has one mapping",
    "verify.stack:exists": NAMED,
    "verify.checks.deployed:metrics.look": ENOUGH,
    "verify.checks.jobs:_items": "the table of this check has a few small items",
    "verify.checks.schedules:schedule.look": ENOUGH,
}
"""The places that ask for one page by design, and why that is enough."""

FOUND = {"second_page": aws_calls.paginated, "asked_again": aws_calls.retries, "waits": aws_calls.waits}


@cache
def marked() -> dict[str, set[str]]:
    """Return the places that tests name, by kind of mark."""
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for path in Path("tests").rglob("test_*.py"):
        text = path.read_bytes()
        if any(f"mark.{kind}(".encode() in text for kind in KINDS):
            for kind, place in _marks(ast.parse(text)):
                found[kind].add(place)
    return found


def _marks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=kind, value=ast.Attribute(attr="mark")), args=places):
                if kind in KINDS:
                    for place in places:
                        assert isinstance(place, ast.Constant), "a place is written out in its mark"
                        yield kind, str(place.value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_place_has_a_test_that_brings_it_there(kind: str) -> None:
    by_design = set(ONE_PAGE) if kind == "second_page" else set()
    assert sorted(FOUND[kind]() - marked()[kind] - by_design) == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_test_names_a_place_that_is_gone(kind: str) -> None:
    assert sorted(marked()[kind] - FOUND[kind]()) == []


def test_a_place_asks_for_one_page_by_design_or_is_tested_with_a_second_one() -> None:
    assert sorted(set(ONE_PAGE) & marked()["second_page"]) == []
    assert sorted(set(ONE_PAGE) - aws_calls.paginated()) == []


def test_the_services_are_those_that_the_product_makes_clients_of() -> None:
    assert aws_calls.services() == set(aws_calls.SERVICES)
    assert len({call.operation for call in aws_calls.calls()}) > 60


def test_pages_are_known_by_their_parameters() -> None:
    assert aws_calls.tokens("ListExecutions") == {"nextToken"}
    assert aws_calls.tokens("DescribeStream") == {"ExclusiveStartShardId"}  # which botocore cannot paginate
    assert aws_calls.tokens("GetRecords") == {"ShardIterator"}
    assert aws_calls.tokens("PutItem") == frozenset()


SOURCE = """
class Reader:
    def __init__(self, client):
        self._scan = client.scan

    def read(self):
        self._scan(TableName="Orders")

def listed(client):
    for page in client.get_paginator("list_tables").paginate():
        yield page

def again(client, sleep):
    def once():
        while True:
            try:
                return client.get_item()
            except ClientError:
                sleep(1.0)
    return once()

def given_up(client):
    for name in "ab":
        try:
            client.get_item()
        except ClientError:
            raise
        except ValueError:
            continue

def every(client, operation):
    return client.get_paginator(operation)

def of_ours(client):
    return Table(client).scan()
"""


def test_places_are_found_in_what_a_program_may_be_written_like(monkeypatch: pytest.MonkeyPatch) -> None:
    source = aws_calls.Source(aws_calls.ROOT, "sample", ast.parse(SOURCE))
    monkeypatch.setattr(aws_calls, "sources", lambda: (source,))
    assert [(call.place, call.operation) for call in aws_calls.calls()] == [
        ("sample:Reader.read", "Scan"),
        ("sample:again.once", "GetItem"),
        ("sample:every", aws_calls.ANY),
        ("sample:given_up", "GetItem"),
        ("sample:listed", "ListTables"),
    ]
    assert aws_calls.paginated() == {"sample:Reader.read", "sample:listed", "sample:every"}
    assert aws_calls.retries() == {"sample:again.once"}
    assert aws_calls.waits() == {"sample:again.once"}


def test_these_are_all_places_that_make_clients() -> None:
    assert aws_calls.makers() == {*MADE, *ELSEWHERE}
