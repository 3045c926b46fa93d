"""A run that lists only given keys: planned from an object or a run, and independent of both from then on."""

import json
from typing import Any

import pytest

from skipscan.errors import InputError, TableError
from skipscan.listing.fields import ONLY_PREFIX
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.handlers.execution import Machine
from tests.fakes.s3 import StoredObject
from tests.refusal import answered

ORDERS = TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")))
GIVEN: dict[str, Any] = {"table": "Orders", "only": "list.txt"}


@pytest.fixture(autouse=True)
def orders(dynamodb: FakeDynamoDB, listing: Machine) -> None:
    dynamodb.add(ORDERS, [{"customer": {"S": f"c{n}"}, "order": {"N": f"{m}"}} for n in range(9) for m in range(5)])
    put(listing, b"c1\nc3\nc3\nnobody\n")


def put(listing: Machine, body: bytes, name: str = "list.txt") -> None:
    listing.s3.objects[f"{ONLY_PREFIX}{name}"] = StoredObject(body, "", {}, ())


def customers(listing: Machine, run: str = "run-1") -> list[str]:
    return sorted(line["customer"] for line in listing.lines(run))


def test_the_keys_of_an_object_are_listed_each_once(listing: Machine) -> None:
    output = listing.run({**GIVEN, "workers": 2})
    assert customers(listing) == ["c1", "c3"]
    assert (output["keys"], output["requests"], output["read_units"]) == (2, 3, 1.5)
    (manifest,) = (json.loads(listing.read(name)) for name in listing.objects("manifest.json"))
    assert manifest["only"]["keys"] == 3
    assert {listing.s3.objects[name].tags for name in listing.objects("/only/")} == {(("skipscan", "checkpoint"),)}
    assert manifest["range"] is None


def test_no_state_holds_a_key_and_a_later_object_changes_nothing(listing: Machine) -> None:
    planned = listing.planned(GIVEN)
    assert "c3" not in json.dumps(planned)
    put(listing, b"c5\n")
    (states,) = (list(listing.turns(planned, worker)) for worker in planned["workers"])
    assert customers(listing) == ["c1", "c3"]
    assert listing.finished(planned, [states[-1]["report"]])["keys"] == 2
    assert listing.planned(GIVEN) == planned  # a retry


def test_the_keys_of_a_run_are_the_scope_of_another(listing: Machine) -> None:
    listing.run({"table": "Orders", "only": "list.txt", "take": {"items": "all", "most": 2}})
    output = listing.run({"table": "Orders", "only_run": "run-1", "take": {"count": {}}}, "run-2")
    assert output["keys"] == 2
    assert {line["customer"]: line["count"] for line in listing.lines("run-2")} == {"c1": 5, "c3": 5}


def test_a_run_of_another_table_and_an_unfinished_one_are_refused(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    asked = {"table": "Orders", "only_run": "run-1"}
    answered(listing.planned(asked, "run-2"), InputError, "only_run", "run-1", rule="no finished run")
    assert listing.run({"table": "Orders"})["keys"] == 9
    listing.plan.dynamodb = described(dynamodb, lambda table: table.update(TableId="another"))
    assert listing.planned(asked, "run-2")["error"] == TableError.__name__


@pytest.mark.parametrize(
    ("body", "rule"), [(b"", "no key"), (b'{"customer": "c1"}\n{"customer": 3}\n', "line 2 "), (b"c\xff\n", "UTF-8")]
)
def test_a_list_that_cannot_be_used_is_refused_before_anything_is_paid(
    listing: Machine, body: bytes, rule: str
) -> None:
    put(listing, body)
    answered(listing.planned(GIVEN), InputError, "only", rule=rule)
    assert listing.objects("skipscan/") == []


def test_an_object_that_is_not_there_is_named(listing: Machine) -> None:
    answered(listing.planned({**GIVEN, "only": "x/y"}), InputError, "only", "x/y", rule=f"no object {ONLY_PREFIX}x/y")


def test_a_dry_run_says_how_many_keys_and_what_they_cost_beside_all(listing: Machine) -> None:
    explanation = listing.planned({**GIVEN, "dry_run": True})["explanation"]
    assert explanation["choice"]["strategy"] == explanation["strategies"][0]["strategy"] == "queries"
    assert explanation["strategies"][0]["requests"] == {"estimate": 3, "low": 3, "high": 3}
    assert explanation["choice"]["expected"]["keys"] == {"estimate": 3, "low": 0, "high": 3}
    assert explanation["choice"]["reason"].endswith("; a full scan of all keys takes 0.5 read units.")
    assert listing.objects("/only/") == []


def test_a_budget_ends_it_and_a_resumed_run_goes_on_without_the_object(listing: Machine) -> None:
    put(listing, b"".join(b"c%d\n" % n for n in range(9)))
    output = listing.run({**GIVEN, "max_read_units": 1.5})
    assert output["error"] == "BudgetError"
    found = customers(listing)
    assert 0 < len(found) < 9
    put(listing, b"c1\n")
    output = listing.run({"table": "Orders", "resume": "run-1"}, "run-2")
    assert (output["keys"], output["read_units"]) == (9, 4.5)
    assert customers(listing) == [f"c{n}" for n in range(9)]


def test_runs_of_other_keys_are_not_compared(listing: Machine) -> None:
    listing.run({"table": "Orders"}, "all")
    listing.run(GIVEN, "one")
    assert listing.run({**GIVEN, "compare": "previous"}, "two")["compare"] == {"run": "one"}
    put(listing, b"c1\n")
    assert listing.run({**GIVEN, "compare": "previous"}, "three")["compare"] == {"run": None}
