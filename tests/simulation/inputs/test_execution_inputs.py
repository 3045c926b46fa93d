"""Thousands of execution inputs: each runs rightly, or is refused in clear words before a read unit is spent."""

import base64
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.fields import RANGE
from tests.fakes.faulty import Faulty
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.s3 import FakeS3
from tests.house.suite.examples import examples
from tests.simulation.inputs.bent import ANY_TEXT, ANYTHING, arns, many, near
from tests.simulation.inputs.conftest import STATUSES
from tests.simulation.inputs.refusal import names, subject

pytestmark = pytest.mark.slow

FIELDS = [field.name for field in fields(ExecutionInput)]
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"
MOST_SEGMENTS_WALKED = 200  # more of them only take more time

GOOD: dict[str, st.SearchStrategy[Any]] = {
    "table": st.sampled_from(["Orders", "Orders", ARN, "Plain"]),
    "index": st.sampled_from(["by-status", "by-day"]),
    "segments": st.integers(1, 40),
    "workers": st.integers(1, 6),
    "consistent_read": st.booleans(),
    "strategy": st.sampled_from(["auto", "skip", "page"]),
    "optimize": st.sampled_from(["cost", "balanced", "speed"]),
    "format": st.sampled_from(["jsonl", "dynamodb-jsonl"]),
    "take": st.sampled_from(
        [
            {"first": "all"},
            {"last": "all"},
            {"first": ["order"], "last": ["order", "nobody's"]},
            {"count": {}},
            {"count": {"up_to": 3}},
            {"items": "all"},
            {"items": ["order"], "most": 2, "order": "descending"},
            {"items": "all", "beyond": 2, "order": "descending"},
        ]
    ),
    "dry_run": st.booleans(),
    "profile": st.booleans(),
    "max_read_units_per_second": st.sampled_from([0.5, 3, 37.5, 1e3, 1e15]),
    "max_read_units": st.sampled_from([0.5, 2.5, 20, 1e15]),
    "max_dollars": st.sampled_from([0.01, 1, 1e15]),
    "compare": st.sampled_from(["previous", "run-9"]),
    "overlap": st.sampled_from(["allow", "skip"]),
    "resume": st.sampled_from(["run-9", "a.b-c_d", "b\u00e9ta", "x" * 80]),
}
NO_RUN_NAMES = st.sampled_from(
    [".", "..", "...", "a/b", "a\\b", "a b", "a\0", "\ud800x", "x" * 81, "a\u2028", "a#", "*"]
)
BENT: dict[str, st.SearchStrategy[Any]] = {
    "table": arns() | near("Orders") | near(ARN) | st.sampled_from(["Or", "O" * 256, "Nowhere"]),
    "index": near("by-status") | st.sampled_from(["by", "i" * 256, "by-date"]),
    "segments": st.sampled_from([0, -3, 1_000_001, 1_000_000, 4.0, 4.5, "4", [4]]),
    "workers": st.sampled_from([0, -3, 1_001, 1_000, 41, 2.0, "2", {"n": 2}]),
    "consistent_read": st.sampled_from([0, 1, "true", "yes", []]),
    "strategy": near("skip") | near("auto"),
    "optimize": near("cost"),
    "format": near("jsonl") | st.sampled_from(["xyz", "dynamodb_jsonl"]),
    "delimiter": st.sampled_from(["", "#" * 1_025, 1, ["#"]]),
    "depth": st.sampled_from([0, -1, 1_025, "1", 1.5]),
    "prefix_length": st.sampled_from([0, -1, 1_025, "7", 1.5]),
    "only": st.sampled_from(["", "/list", "a#b", "a b", "x" * 1_001, 7, ["a"], {"run": "x"}]),
    "only_run": NO_RUN_NAMES,
    "prefix": st.sampled_from(["", 7, ["a"], "p" * 1_025]),
    "between": st.sampled_from([[], ["a"], ["a", "b", "c"], ["b", "a"], "a", {"from": "a"}, [["a"], "b"]]),
    "since": st.sampled_from(["", [], {"S": "a"}, True, "s" * 1_025]),
    "until": st.sampled_from(["", [], {"S": "a"}, True, "u" * 1_025]),
    "take": st.sampled_from(
        [
            *({}, {"latest": "all"}, {"first": []}, {"first": "some"}, {"first": [1]}, "first"),
            *({"count": 3}, {"count": {"up_to": 0}}, {"count": {}, "last": "all"}),
            *(
                {"items": "all", "most": 0},
                {"items": "all", "order": "up"},
                {"most": 1},
                {"items": []},
                {"items": "all", "beyond": 0},
                {"beyond": 1},
            ),
        ]
    ),
    "dry_run": st.sampled_from([0, 1, "false", "no"]),
    "profile": st.sampled_from([0, 1, "false", "no"]),
    "max_read_units_per_second": st.sampled_from([0, 0.49, -1, "10", True]),
    "max_read_units": st.sampled_from([0, 0.49, -5, "500", True]),
    "max_dollars": st.sampled_from([0, 0.00009, -1, "$2", "2", True]),
    "compare": NO_RUN_NAMES,
    "resume": NO_RUN_NAMES,
    "overlap": near("skip") | near("allow"),
}

# run-9 does not exist, and a budget may be too small for a single page.
CONTRADICTED = {
    "strategy",
    "consistent_read",
    "workers",
    "index",
    "compare",
    "max_read_units",
    "max_dollars",
    "take.beyond",
    "take.last",
    "take.order",
}

RIGHT = st.fixed_dictionaries(
    {"table": GOOD["table"]}, optional={k: v for k, v in GOOD.items() if k not in ("table", "resume", "profile")}
)
AGREEING = ("optimize", "format", "dry_run", "max_read_units", "max_dollars")  # with each other and with the rest
ENOUGH = {"max_read_units": st.sampled_from([2.5, 20, 1e15])}  # 0.5 is too small for a consistent read
FEW = st.fixed_dictionaries({"table": st.just("Orders")}, optional={name: GOOD[name] for name in AGREEING} | ENOUGH)


@st.composite
def one_bend(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Return a right input with one field bent, and the name of that field."""
    document = dict(draw(FEW))
    if draw(st.integers(0, 3)) == 0:
        field = draw(st.sampled_from(FIELDS).flatmap(near) | ANY_TEXT | st.sampled_from(["x" * 7_000, "Table", ""]))
        document[field] = draw(ANYTHING)
        return document, field
    field = draw(st.sampled_from(FIELDS))
    if field in ("resume", "profile"):  # a resumed run and a profile take few other fields
        document = {"table": "Orders"}
    assert field in BENT, f"BENT has no values of {field}: add them here"
    document[field] = draw(BENT[field] | BENT[field] | ANYTHING)
    return document, field


class Trial:
    """Runs inputs, and counts what becomes of them."""

    def __init__(self, listing: Machine, tables: Faulty, bucket: FakeS3) -> None:
        self.listing, self.tables, self.bucket = listing, tables, bucket
        self.seen: Counter[str] = Counter()

    def run(self, document: Any) -> str | None:
        """Return the message of a refusal, or `None` for an input that ran rightly; AssertionError for the rest."""
        self.bucket.objects.clear()
        self.tables.calls.clear()
        event = {"input": document, "name": "run-1", "execution": "arn:run-1", "started": "2026-01-01T00:00:00Z"}
        planned = self.listing.plan.handler(event, CONTEXT)
        # As the Lambda runtime does it, and as Step Functions takes it.
        planned = json.loads(json.dumps(planned, ensure_ascii=False, allow_nan=False).encode())
        if "error" in planned:
            self.seen["refused"] += 1
            assert planned["error"] in {"InputError", "TableError"}
            assert not self.tables.asked("scan")
            assert self.bucket.objects == {}
            return str(planned["cause"])
        assert all(name.startswith("skipscan/Orders/") or "/Plain/" in name for name in self.bucket.objects)
        self._check_run(document, planned)
        return None

    def _check_run(self, document: Mapping[str, Any], planned: dict[str, Any]) -> None:
        if document.get("profile"):
            self.seen["profile"] += 1
            assert planned["explanation"]["profile"]
            return
        if document.get("dry_run"):
            self.seen["dry run"] += 1
            assert planned["explanation"]["choice"]
            return
        plan = planned["work"]["plan"]
        if plan["segments"] > MOST_SEGMENTS_WALKED:
            self.seen["planned"] += 1
            assert plan["segments"] == document.get("segments", plan["segments"])
            return
        reports = [list(self.listing.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]
        output = self.listing.finished(planned, reports)
        beside = {*(document.get("take") or ()), "item", "more", "read_units", "read"}
        lines = [{name: line[name] for name in line if name not in beside} for line in self.listing.lines()]
        keys = [json.dumps(key) for key in lines]
        if "items" in (document.get("take") or {}):
            assert output.get("keys", len(keys)) == len(keys)
            output = {**output, "keys": len(keys := list(set(keys)))}
        assert len(keys) == len(set(keys))
        has_groups = bool(document.get("delimiter") or document.get("prefix_length"))
        if has_groups or (document.get("index") and is_bounded(document)):
            # tests/engines/conformance and tests/engines/scan compare these with all items; here the sort keys are few.
            assert {json.dumps({name: line[name] for name in line if name != "prefix"}) for line in lines} <= whole(
                document
            )
            return
        if "error" in output:
            self.seen["stopped by its budget"] += 1
            assert output["error"] == "BudgetError"
            assert set(keys) <= expected(document)
        else:
            self.seen["ran"] += 1
            # Of few of the sort keys, so that a collection may have no item beyond the first ones.
            found, is_partial = set(keys), "beyond" in (document.get("take") or {})
            assert found <= expected(document) if is_partial else found == expected(document)
            assert output["keys"] == len(keys)


def is_bounded(document: Mapping[str, Any]) -> bool:
    return any(document.get(name) is not None for name in RANGE)


def expected(document: Mapping[str, Any]) -> set[str]:
    """Return the keys an input should list, as they are written. A range is one of the orders 0 to n * n of c<n>."""
    low, high = document.get("between") or (document.get("since"), document.get("until"))
    orders = range(1 + 6 * 6)
    first, last = Decimal(0 if low is None else str(low)), Decimal(len(orders) if high is None else str(high))
    inside = [m for m in orders if first <= m <= last]
    least = min(inside, default=len(orders))
    return {key for n, key in enumerate(sorted(whole(document))) if not is_bounded(document) or least <= n * n}


def whole(document: Mapping[str, Any]) -> set[str]:
    """Return all keys of an input's source, as they are written."""
    name, kind, values = "customer", "S", [f"c{n}" for n in range(7)]
    if document["table"] == "Plain":
        name, kind, values = "id", "B", [base64.b64encode(bytes([n])).decode() for n in range(5)]
    elif document.get("index") == "by-status":
        name, values = "status", list(STATUSES)
    typed = document.get("format") == "dynamodb-jsonl"
    return {json.dumps({name: {kind: value} if typed else value}) for value in values}


@pytest.fixture
def input_trial(counted_listing: Machine, tables: Faulty, fake_bucket: FakeS3, unlogged: None) -> Trial:
    return Trial(counted_listing, tables, fake_bucket)


def test_an_invalid_field_is_named_before_anything_is_read(input_trial: Trial) -> None:
    @many(2_000)
    @given(one_bend())
    def each(case: tuple[dict[str, Any], str]) -> None:
        document, field = case
        message = input_trial.run(document)
        assert message is None or names(message, field), (field, message)

    each()
    assert input_trial.seen.total() >= examples(2_000)
    assert input_trial.seen["refused"] >= examples(1_200)


def test_a_valid_input_succeeds_or_is_refused_with_the_contradiction(input_trial: Trial) -> None:
    @many(1_000)
    @given(RIGHT)
    def each(document: dict[str, Any]) -> None:
        message = input_trial.run(document)
        assert message is None or subject(message) in CONTRADICTED, message

    each()
    assert input_trial.seen.total() >= examples(1_000)
    kinds = ("ran", "dry run", "stopped by its budget", "refused")
    seldom = f"GOOD seldom leads to one of {kinds}: give its fields other values; {input_trial.seen}"
    assert min(input_trial.seen[kind] for kind in kinds) >= examples(20), seldom
