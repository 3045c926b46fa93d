"""Comparisons of a run with the previous run or a named one, including every error."""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import pytest

from skipscan.listing.compare import comparison
from skipscan.loop.work import FORM
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import BUCKET, CONTEXT, Machine, through_json
from tests.fakes.handlers.loading import Loaded

Start = Callable[..., dict[str, Any]]
COUNTED = ("outcome", "old", "new_keys", "vanished_keys")


@pytest.fixture(autouse=True)
def compared_orders(dynamodb: FakeDynamoDB) -> None:
    by_status = IndexDefinition("by-status", KeySchema.of(("status", "S"), ("order", "N")))
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")), (by_status,)))
    put(dynamodb, *(f"c{number}" for number in range(9)))


def put(dynamodb: FakeDynamoDB, *customers: str) -> None:
    for customer in customers:
        dynamodb.table("Orders").put({"customer": {"S": customer}, "order": {"N": "1"}, "status": {"S": "open"}})


def remove(dynamodb: FakeDynamoDB, customer: str) -> None:
    dynamodb.table("Orders").delete({"customer": {"S": customer}, "order": {"N": "1"}})


@pytest.fixture
def start(listing: Machine, compare: Loaded) -> Start:
    """What starts an execution and returns its output; its run is named by the day of January on which it starts."""

    def started(day: int, **document: Any) -> dict[str, Any]:
        name, at = f"run-{day}", f"2026-01-{day:02d}T03:00:00.123Z"
        planned = listing.planned({"table": "Orders", **document}, name, at)
        output = listing.ended(planned)
        if "compare" in output:
            output["diff"] = through_json(compare.handler(through_json(output), CONTEXT))
        return output

    return started


def counted(output: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(output["diff"][name] for name in COUNTED)


def written(listing: Machine, run: str, change: str) -> list[str]:
    lines = b"".join(listing.read(name) for name in listing.objects(f"/{run}/diff/{change}/")).splitlines()
    return [json.loads(line)["customer"] for line in lines]


def test_a_run_reports_new_and_vanished_keys(listing: Machine, dynamodb: FakeDynamoDB, start: Start) -> None:
    assert "compare" not in start(1)
    put(dynamodb, "new-2", "new-1")
    remove(dynamodb, "c5")
    output = start(2, compare="previous", segments=3)
    assert counted(output) == ("compared", "run-1", 2, 1)
    assert written(listing, "run-2", "new") == ["new-1", "new-2"]
    assert written(listing, "run-2", "vanished") == ["c5"]
    assert output["diff"]["document"] == "s3://results/skipscan/Orders/runs/run-2/diff.json"
    assert output["diff"]["notice"].startswith("Orders: 2 new, 1 vanished, 10 in all, $0.0")
    document = json.loads(listing.read("skipscan/Orders/runs/run-2/diff.json"))
    assert (document["old"]["run"], document["old"]["keys"]) == ("run-1", 9)
    assert (document["new"]["run"], document["new"]["keys"]) == ("run-2", 10)
    assert (document["new_keys"], document["vanished_keys"]) == (2, 1)
    bodies = {name: listing.read(name) for name in listing.objects("/diff/")}
    stated = [part for parts in document["parts"].values() for part in parts]
    assert {part["name"]: (part["bytes"], part["sha256"]) for part in stated} == {
        name: (len(body), sha256(body).hexdigest()) for name, body in bodies.items()
    }


def test_the_first_run_of_a_table_says_that_there_is_nothing_to_compare_with(listing: Machine, start: Start) -> None:
    output = start(1, compare="previous")
    assert counted(output) == ("first", None, None, None)
    assert "no finished run had listed the same scope" in output["diff"]["reason"]
    assert re.fullmatch(r"Orders: 9 keys, \$0\.\d+\. Not compared: when this run started, .*", output["diff"]["notice"])
    assert re.fullmatch(r"Orders: 9 keys, \$0\.\d+", output["notice"])
    assert listing.objects("/diff/") == []
    assert counted(start(2, compare="previous")) == ("compared", "run-1", 0, 0)


def of_another_version(listing: Machine, *days: int, form: object = FORM + 1) -> None:
    """Let plans and manifests be those of another version."""
    for name in (name for day in days for name in listing.objects(f"Orders/runs/run-{day}/")):
        if name.endswith(("plan.json", "manifest.json")):
            body = json.dumps({"form": form, "started": f"2026-01-0{name[-11]}"}).encode()
            listing.s3.put_object(Bucket=BUCKET, Key=name, Body=body)


@pytest.mark.parametrize("form", [FORM - 1, FORM + 1, None])
def test_a_run_of_another_version_is_passed_over_and_the_plan_says_so(
    listing: Machine, start: Start, form: object
) -> None:
    for day in (1, 2, 3):
        start(day)
    of_another_version(listing, 2, 3, form=form)
    assert counted(start(4, compare="previous")) == ("compared", "run-1", 0, 0)
    (said,) = json.loads(listing.read("skipscan/Orders/runs/run-4/plan.json"))["warnings"]
    assert said == (
        "The comparison passes over newer runs that another version of Skipscan wrote in another form: run-3, run-2."
    )


def test_a_run_of_another_version_that_is_named_is_refused(listing: Machine, start: Start) -> None:
    start(1)
    of_another_version(listing, 1)
    refused = start(2, compare="run-1")
    assert (refused["error"], f"has form {FORM + 1}" in refused["cause"]) == ("StateError", True)


def test_runs_over_something_else_are_not_compared(listing: Machine, start: Start) -> None:
    start(1, index="by-status")
    assert counted(start(2, compare="previous"))[:2] == ("first", None)
    assert counted(start(3, index="by-status", compare="previous"))[:2] == ("compared", "run-1")
    refused = start(4, compare="run-1")
    assert refused["error"] == "InputError"
    assert refused["cause"] == (
        'compare is "run-1"; that run lists "status" (S) of index "by-status", and this one "customer" (S) of the '
        'table itself: use a run with the same scope, or set "previous" (see docs/reference-input.md)'
    )


def test_a_run_with_a_line_for_each_item_is_not_compared(start: Start) -> None:
    start(1, take={"items": "all"})
    assert "runs are compared by their keys" in start(2, take={"items": "all"}, compare="run-1")["cause"]


@pytest.mark.parametrize("name", ["run-9", "run-2", "self"])
def test_a_run_that_is_not_finished_is_refused_before_anything_is_read(
    listing: Machine, start: Start, name: str
) -> None:
    listing.planned({"table": "Orders"}, "run-2", "2026-01-02T03:00:00Z")
    before = listing.objects()
    refused = start(3, compare="run-3" if name == "self" else name)
    assert refused["error"] == "InputError"
    assert 'table "Orders" has no finished run with this name' in refused["cause"]
    assert listing.objects() == before


def test_what_is_compared_with_is_decided_when_a_run_begins(
    listing: Machine, dynamodb: FakeDynamoDB, start: Start
) -> None:
    start(1)
    begun = listing.planned({"table": "Orders", "compare": "previous"}, "run-2", "2026-01-02T03:00:00Z")
    start(3)
    again = listing.planned({"table": "Orders", "compare": "previous"}, "run-2", "2026-01-02T03:00:00Z")
    assert again == begun
    assert listing.ended(begun)["compare"] == {"run": "run-1"}


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("MOST_LINES", "the runs have 9 and 9 keys in"),
        ("MOST_BYTES", "the runs have 9 and 9 keys in"),
        ("MOST_PART_BYTES", "a part has"),
    ],
)
def test_runs_that_are_too_large_are_refused_in_words_and_stay_finished(
    listing: Machine, start: Start, monkeypatch: pytest.MonkeyPatch, limit: str, said: str
) -> None:
    monkeypatch.setattr(comparison, limit, 17)
    start(1)
    output = start(2, compare="previous")
    assert counted(output) == ("not compared", "run-1", None, None)
    assert output["diff"]["reason"].startswith(said)
    assert "use `skipscan diff`" in output["diff"]["reason"]
    assert listing.objects("/run-2/manifest.json")


def test_a_run_that_is_removed_meanwhile_is_reported(listing: Machine, compare: Loaded, start: Start) -> None:
    start(1)
    output = start(2, compare="run-1")
    for name in [*listing.objects("/run-1/"), "skipscan/Orders/runs/run-2/diff.json"]:
        listing.s3.delete_object(Bucket=BUCKET, Key=name)
    emitted = compare.handler({name: output[name] for name in ("table", "run", "compare")}, CONTEXT)
    assert (emitted["outcome"], emitted["reason"]) == (
        "not compared",
        "run run-1 was removed while this run was in progress",
    )


def test_runs_of_one_level_are_compared_by_group_and_with_no_others(
    listing: Machine, dynamodb: FakeDynamoDB, start: Start
) -> None:
    dynamodb.add(TableDefinition("Levels", KeySchema.of(("customer", "S"), ("sk", "S"))))

    def put_all(*sort_keys: str) -> None:
        for sort_key in sort_keys:
            dynamodb.table("Levels").put({"customer": {"S": "c"}, "sk": {"S": sort_key}})

    put_all("ORDER#1", "ORDER#2", "PROFILE")
    level = {"table": "Levels", "compare": "previous", "delimiter": "#"}
    assert counted(start(1, table="Levels", compare="previous")) == ("first", None, None, None)
    first = start(2, **level)
    assert counted(first) == ("first", None, None, None)
    assert re.fullmatch(r"Levels: 2 groups, \$0\.\d+", first["notice"])
    put_all("ORDER#3", "CART#1", "CART#2")
    assert counted(start(3, **level, format="csv")) == ("compared", "run-2", 1, 0)
    [lines] = [listing.read(name) for name in listing.objects("/run-3/diff/new/")]
    assert lines == b'{"customer": "c", "prefix": "CART#"}\n'
    refused = start(4, table="Levels", compare="run-3", delimiter="#", depth=2)
    assert 'of the table itself, delimiter "#", depth 1, and this one' in refused["cause"]
