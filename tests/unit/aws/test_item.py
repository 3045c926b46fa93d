"""A write is made only if what it expects is true; its answer says what became of it."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.item import do
from skipscan.dynamodb.equality import EQUALITY_ATTRIBUTES, EXPRESSION_OPERATORS
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, First, Get, Refused, Unless, Write
from skipscan.errors import TableError
from tests.fakes.attribute_value import Item
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.small_table import AUDIT, item, text
from tests.refusal import refused

UPDATE = Write(
    "Audit",
    item("1"),
    sets={"made": text("x-y"), "more": text("y")},
    expects={"a": text("x"), "b": text("y"), "made": None},
)
READ = item("1", a="x", b="y", c="z")


def made(write: Write, existing: Item | None) -> tuple[Item | None, Answer]:
    """Return the item after a write, and its answer."""
    dynamodb: Any = FakeDynamoDB()
    audit = dynamodb.add(AUDIT, [existing] if existing else [])
    answer = do(dynamodb, write)
    return audit.get(item("1")), answer


@pytest.mark.parametrize(
    ("existing", "written"),
    [
        (READ, {**READ, **(UPDATE.sets or {})}),
        ({**READ, "c": text("other")}, {**READ, "c": text("other"), **(UPDATE.sets or {})}),
        *((changed, changed) for changed in (READ | item("1", a="z"), item("1", a="x"), READ | item("1", made="z"))),
        (None, None),
    ],
)
def test_an_update_depends_on_the_item_and_every_attribute_that_was_read(
    existing: Item | None, written: Item | None
) -> None:
    is_made = existing != written
    answer = Answer(WRITTEN if is_made else Conflict(existing), write_units=1.0)
    assert made(UPDATE, existing) == (written, answer)


@pytest.mark.parametrize("sets", [{}, {"a": text("y"), "c": text("z")}])
def test_an_update_removes_attributes_with_or_without_setting_others(sets: Item) -> None:
    update = Write("Audit", item("1"), sets=sets, removes=["b", "d"], expects={"b": text("y")})
    written = {**item("1", a="x", c="z"), **sets}
    assert made(update, READ) == (written, Answer(WRITTEN, write_units=1.0))
    assert made(update, written)[1].value == Conflict(written)


NEW = item("1", a="new")


@pytest.mark.parametrize(
    ("expects", "existing", "is_made"),
    [
        (None, READ, True),
        ({"id": None}, None, True),
        ({"id": None}, READ, False),
        (Unless("a", text("x")), READ, False),
        (Unless("a", text("x")), item("1", a="y"), True),
        (Unless("a", text("x")), item("1"), True),
        (Unless("a", text("x")), None, True),
    ],
)
def test_a_put_is_made_over_what_it_expects(expects: Any, existing: Item | None, is_made: bool) -> None:
    found, answer = made(Write("Audit", item("1"), put=NEW, expects=expects), existing)
    assert (found, answer.value) == ((NEW, WRITTEN) if is_made else (existing, Conflict(existing)))


@pytest.mark.parametrize(
    ("expects", "existing", "answer"),
    [
        (None, None, WRITTEN),
        ({}, READ, WRITTEN),
        ({}, None, Conflict(None)),
        ({"a": text("x")}, READ, WRITTEN),
        ({"a": text("z")}, READ, Conflict(READ)),
    ],
)
def test_a_conditional_delete_needs_an_item(expects: Any, existing: Item | None, answer: object) -> None:
    found, answered = made(Write("Audit", item("1"), expects=expects), existing)
    assert (found, answered.value) == (None if answer is WRITTEN else existing, answer)


def test_a_failed_condition_takes_the_units_of_the_item_that_it_found() -> None:
    """DynamoDB bills them and does not report them (developer guide, "Write operation units")."""
    large = item("1", a="x" * 3000)
    _, answer = made(Write("Audit", item("1"), put=NEW, expects={"id": None}), large)
    assert answer == Answer(Conflict(large), write_units=3.0)


def test_a_write_that_is_refused_for_good_is_an_answer_and_a_throttled_one_an_error() -> None:
    for code in ("ValidationException", "ItemCollectionSizeLimitExceededException"):
        assert do(faulty(None, {"update_item": [code]}), UPDATE) == Answer(Refused(code))
    with pytest.raises(ClientError, match="ThrottlingException"):
        do(faulty(None, {"update_item": ["ThrottlingException"]}), UPDATE)
    with pytest.raises(ClientError, match="ValidationException"):
        do(faulty(None, {"get_item": ["ValidationException"]}), Get("Audit", item("1")))


@pytest.mark.parametrize(("names", "projection"), [((), None), (("id", "a.b"), "#p0,#p1")])
def test_an_item_is_read_with_strong_consistency_and_only_what_is_named(
    names: tuple[str, ...], projection: str | None
) -> None:
    dynamodb = FakeDynamoDB(AUDIT, [READ])
    client = faulty(dynamodb)
    found = {name: value for name, value in READ.items() if name in (names or READ)}
    assert do(client, Get("Audit", item("1"), names)) == Answer(found, read_units=1.0)
    (asked,) = client.asked("get_item")
    assert (asked["ConsistentRead"], asked["ReturnConsumedCapacity"]) == (True, "TOTAL")
    assert (asked.get("ProjectionExpression"), tuple(asked.get("ExpressionAttributeNames", {}).values())) == (
        *(projection, names),
    )


def test_the_first_items_of_a_collection_are_those_of_its_partition_key_whatever_pages_they_come_in() -> None:
    units = {"ConsumedCapacity": {"CapacityUnits": 0.5}, "Count": 1, "ScannedCount": 1}
    pages = [{"Items": [item("1", a="x")], "LastEvaluatedKey": item("1"), **units}, {"Items": [item("2")], **units}]
    client = faulty(None, {"query": pages})
    step = First("Audit", {"id": text("1")}, ("a",), 2)
    assert do(client, step) == Answer([item("1", a="x"), item("2")], read_units=1.0, requests=2)
    asked, _ = client.asked("query")
    assert asked == {
        "TableName": "Audit",
        "ReturnConsumedCapacity": "TOTAL",
        "KeyConditionExpression": "#p0 = :k",
        "ExpressionAttributeNames": {"#p0": "id", "#p1": "a"},
        "ExpressionAttributeValues": {":k": text("1")},
        "ProjectionExpression": "#p0,#p1",
        "ConsistentRead": True,
        "Limit": 2,
    }


def test_the_most_expected_attributes_have_no_more_operators_than_dynamodb_allows() -> None:
    def operators(attributes: int) -> int:
        client = faulty(None, {"delete_item": [{"ConsumedCapacity": {"CapacityUnits": 1.0}}]})
        do(client, Write("Audit", item("1"), expects={f"a{number}": text("x") for number in range(attributes)}))
        (asked,) = client.asked("delete_item")
        return sum(asked["ConditionExpression"].count(operator) for operator in ("attribute_exists", " AND ", " = "))

    assert operators(EQUALITY_ATTRIBUTES) <= EXPRESSION_OPERATORS < operators(EQUALITY_ATTRIBUTES + 1)


def answer(page: list[int], number: int, *, is_last: bool) -> dict[str, Any]:
    """Return one of a Query's pages."""
    items = [{"id": {"N": str(each)}} for each in page]
    more = {} if is_last else {"LastEvaluatedKey": {"id": {"N": str(number)}}}
    counted = {"Count": len(items), "ScannedCount": len(items)}
    return {"Items": items, **counted, "ConsumedCapacity": {"CapacityUnits": 0.5}, **more}


@pytest.mark.parametrize(
    ("pages", "wanted", "found", "requests"),
    [
        (([1, 2, 3],), 2, [1, 2], 1),
        (([], [7]), 1, [7], 2),
        (([1], [2], [3]), 2, [1, 2], 2),
        (([], []), 1, [], 2),
    ],
)
def test_pages_are_asked_for_until_there_are_enough_items(
    pages: tuple[list[int], ...], wanted: int, found: list[int], requests: int
) -> None:
    answers = [answer(page, number, is_last=number + 1 == len(pages)) for number, page in enumerate(pages)]
    collection = faulty(None, {"query": answers})
    first = do(collection, First("Orders", {"id": {"N": "0"}}, (), wanted))
    assert [int(item["id"]["N"]) for item in first.value] == found
    assert (first.read_units, first.requests) == (0.5 * requests, requests)
    assert [asked["Limit"] for asked in collection.asked("query")] == [wanted] * requests, (
        "more would be read, and billed"
    )
    starts = [asked.get("ExclusiveStartKey") for asked in collection.asked("query")]
    assert starts == [None, *({"id": {"N": str(number)}} for number in range(requests - 1))]


def test_pages_that_go_in_a_circle_are_refused() -> None:
    collection = faulty(None, {"query": [answer([], 0, is_last=False)] * 99})
    with refused(TableError, "the table's endpoint", rule="same LastEvaluatedKey"):
        do(collection, First("Orders", {"id": {"N": "0"}}, (), 1))
