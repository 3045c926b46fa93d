"""A job over the items of a run: all but the newest of each collection are deleted, and put back."""

from collections import Counter
from typing import Any

import pytest

from skipscan.act.actions.delete_listed import WHOLE_ITEMS
from skipscan.errors import InputError
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.handlers.acting import Acting
from tests.fakes.handlers.execution import Machine
from tests.refusal import answered

pytestmark = pytest.mark.slow

LENGTHS = {"a": 1, "b": 5, "c": 17}
TRIM: dict[str, Any] = {
    "table": "T-1",
    **WHOLE_ITEMS,
    "take": {**WHOLE_ITEMS["take"], "beyond": 5, "order": "descending"},
}
LISTED = LENGTHS["c"] - 5


def item(pk: str, number: int, **more: Any) -> Item:
    return {"pk": {"S": pk}, "sk": {"S": f"{number:03}"}, "at": {"N": f"{number}"}, "body": {"B": b"x\xff"}, **more}


@pytest.fixture(autouse=True)
def table(dynamodb: FakeDynamoDB) -> None:
    key, by_time = KeySchema.of(("pk", "S"), ("sk", "S")), KeySchema.of(("pk", "S"), ("at", "N"))
    indexes = [IndexDefinition("by-time", by_time, "local"), IndexDefinition("keys", by_time, "local", "KEYS_ONLY")]
    every = (item(pk, number) for pk, length in LENGTHS.items() for number in range(length))
    dynamodb.add(TableDefinition("T-1", key, tuple(indexes)), every)


def left(dynamodb: FakeDynamoDB) -> Counter[str]:
    return Counter(each["pk"]["S"] for each in dynamodb.table("T-1").items())


def test_what_is_beyond_the_newest_is_deleted_if_it_is_unchanged_and_put_back_where_its_key_is_free(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    before = dynamodb.table("T-1").items()
    assert listing.run(TRIM, "run-1")["keys"] == LISTED
    changed, gone = item("c", 3, body={"S": "newer"}), item("c", 4)
    dynamodb.table("T-1").put(changed)
    dynamodb.table("T-1").delete(gone)
    output = acting.act(delete_listed={"max_deletes": LISTED}, workers=1)
    counts = {name: output[name] for name in ("keys", "deleted", "present", "absent", "failed", "write_units")}
    assert counts == {
        "keys": LISTED,
        "deleted": LISTED - 2,
        "present": 1,
        "absent": 1,
        "failed": 0,
        "write_units": 3.0 * (LISTED - 2),  # with its entries in both indexes
    }
    assert LISTED < output["read_units"] <= 2 * LISTED  # each item, and those to keep of its collection
    assert left(dynamodb) == {**LENGTHS, "c": 5 + 1}

    newer = item("c", 5, body={"S": "newer"})
    dynamodb.table("T-1").put(newer)
    undone = acting.act("job-2", undo="job-1")
    assert (undone["put"], undone["present"]) == (LISTED - 2, 2)
    found = {(each["pk"]["S"], each["sk"]["S"]): each for each in dynamodb.table("T-1").items()}
    expected = {(each["pk"]["S"], each["sk"]["S"]): each for each in (*before, changed, newer)}
    assert found == expected


def test_an_item_stays_that_is_among_the_newest_since_others_vanished(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    listing.run(TRIM, "run-1")
    for number in (16, 14):
        dynamodb.table("T-1").delete(item("c", number))
    output = acting.act(delete_listed={})
    assert (output["deleted"], output["failed"]) == (LISTED - 2, 2)
    assert [line["reason"] for line in acting.failed()] == ["Kept", "Kept"]
    assert left(dynamodb) == LENGTHS | {"c": 5}


def test_a_dry_run_is_not_undone(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
    """An undo would put back what the application has deleted since."""
    listing.run(TRIM, "run-1")
    acting.planned({"table": "T-1", "run": "run-1", "delete_listed": {}}, "job-1")
    answered(acting.act("job-2", undo="job-1"), InputError, "undo", "job-1", rule="dry run")


def test_a_dry_run_shows_units_and_keys_and_says_what_a_delete_reaches(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing.run(TRIM, "run-1")
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    more = {"StreamSpecification": stream, "LatestStreamArn": "arn:stream"}
    acting.plan.dynamodb = described(dynamodb, lambda table: table.update(more))
    monkeypatch.setattr(dynamodb, "describe_continuous_backups", lambda **_: {"ContinuousBackupsDescription": {}})
    document = {"table": "T-1", "run": "run-1", "delete_listed": {}, "show_items": True}
    explanation = acting.planned(document)["explanation"]
    assert (explanation["keys"], explanation["write_units"], explanation["read_units"]) == (
        LISTED,
        3.0 * LISTED,
        2 * LISTED,
    )
    assert explanation["first_items"][0] == {"pk": "S", "sk": "S"}
    assert {name for shown in explanation["items"] for name in shown} == {"pk", "sk"}
    assert [("stream" in said, "point-in-time" in said) for said in explanation["advice"]] == [
        (True, False),
        (False, True),
    ]
    assert left(dynamodb) == LENGTHS


@pytest.mark.parametrize(
    ("listed", "action", "field", "rule", "remedy"),
    [
        ({}, {"delete_listed": {"max_deletes": LISTED - 1}}, "delete_listed.max_deletes", f"listed {LISTED} items", ""),
        ({"take": None}, {"delete_listed": {}}, "run", "does not list whole items", ""),
        ({"take": {"items": ["at"]}}, {"delete_listed": {}}, "run", "does not list whole items", ""),
        ({"format": "jsonl"}, {"delete_listed": {}}, "run", "wrote its items as jsonl", ""),
        ({"format": "csv"}, {"delete_listed": {}}, "run", "wrote its items as csv", ""),
        ({"index": "keys"}, {"delete_listed": {}}, "run", 'index "keys"', ""),
        ({}, {"delete_item": {"key": {"sk": "x"}}}, "run", "a line for each item", "take.items"),
        ({}, {"delete_listed": {}, "skip_ended": True}, "skip_ended", "delete_listed checks every item", "skip_ended"),
    ],
)
def test_a_job_over_items_needs_whole_items_with_their_types(  # noqa: PLR0917 (what is given)
    acting: Acting, listing: Machine, listed: dict[str, Any], action: dict[str, Any], field: str, rule: str, remedy: str
) -> None:
    listing.run({**TRIM, **listed}, "run-1")
    answered(acting.act(**action), InputError, field, remedy=remedy, rule=rule)
