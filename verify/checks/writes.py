"""What writes cost, and what a failed condition answers."""

from typing import Any

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.write_units import WrittenTable, item_bytes, update_units, write_units
from verify.check import check, hold
from verify.checks.reading import GUIDE
from verify.errors import NotHeldError
from verify.kit import Kit

PRICING = f"{GUIDE}/read-write-operations.html"
WRITTEN = ("written",)
ATTRIBUTES: dict[str, Any] = {
    "number": {"N": "-1234567.89"},
    "flag": {"BOOL": True},
    "nothing": {"NULL": True},
    "list": {"L": [{"S": "é"}, {"N": "0"}]},
    "map": {"M": {"a": {"B": b"\xff"}, "b": {"SS": ["x", "yy"]}}},
}


def consumed(answer: Any) -> dict[str | None, float]:
    """Return the units of a write: of the table at `None`, of each index by its name."""
    capacity = answer["ConsumedCapacity"]
    found: dict[str | None, float] = {None: capacity.get("Table", {}).get("CapacityUnits", capacity["CapacityUnits"])}
    for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        entries = capacity.get(kind, {}).items()
        found |= {name: entry["CapacityUnits"] for name, entry in entries if entry["CapacityUnits"]}
    return found


@check(
    "item-size",
    "An item's size is that of its names and values as Skipscan counts it, to the byte: one more than 1 KB costs "
    "another write unit.",
    source=f"{GUIDE}/CapacityUnitCalculations.html",
    breaks="Forecasts and budgets of jobs that write are wrong.",
    tables=WRITTEN,
)
def item_size(kit: Kit) -> str:
    for name, value in {"plain": {"S": "é"}, **ATTRIBUTES}.items():
        item: dict[str, Any] = {"p": {"S": f"size-{name}"}, "s": {"S": "s"}, name: value, "fill": {"B": b""}}
        size = item_bytes(item)
        for bytes_, expected in ((1024, 1), (1025, 2)):
            item["fill"] = {"B": bytes(bytes_ - size)}
            answer = kit.dynamodb.put_item(TableName=kit.table("written"), Item=item, ReturnConsumedCapacity="INDEXES")
            found = consumed(answer)[None]
            hold(found == expected == write_units(item), f"{bytes_} bytes with {name} ({value}) cost {found:g} units")
    return f"{1 + len(ATTRIBUTES)} items of 1,024 bytes cost 1, of 1,025 bytes 2"


@check(
    "index-write-units",
    "Each index that an item enters, leaves or changes in costs write units as Skipscan forecasts them.",
    source=f"{GUIDE}/GSI.html",
    breaks="Forecasts and budgets of jobs that write are wrong.",
    tables=WRITTEN,
)
def index_write_units(kit: Kit) -> str:
    table = WrittenTable.described(kit.describe("written"))
    before: dict[str, Any] = {
        "p": {"S": "indexes"},
        "s": {"S": "s"},
        "g": {"S": "g"},
        "h": {"N": "1"},
        "small": {"B": bytes(1500)},
        "large": {"B": bytes(3000)},
    }
    wrong = []
    found = consumed(
        kit.dynamodb.put_item(TableName=kit.table("written"), Item=before, ReturnConsumedCapacity="INDEXES")
    )
    if found != table.put_units(before):
        wrong.append(f"a new item: {found}, expected {table.put_units(before)}")
    changes: dict[str, Any] = {
        "an attribute": {"large": {"B": bytes(2000)}},
        "a projected attribute": {"small": {"B": bytes(2500)}},
        "an index key": {"h": {"N": "2"}},
        "nothing": {},
    }
    for what, change in changes.items():
        after = {**before, **change}
        name = next(iter(change), "large")
        answer = kit.dynamodb.update_item(
            TableName=kit.table("written"),
            Key={"p": before["p"], "s": before["s"]},
            UpdateExpression="SET #a = :a",
            ExpressionAttributeNames={"#a": name},
            ExpressionAttributeValues={":a": after[name]},
            ReturnConsumedCapacity="INDEXES",
        )
        expected = update_units(table, before, after)
        if consumed(answer) != expected:
            wrong.append(f"a change of {what}: {consumed(answer)}, expected {expected}")
        before = after
    hold(not wrong, "; ".join(wrong))
    return "a new item, and changes of an attribute, a projected attribute, an index key and nothing"


@check(
    "failed-condition",
    "A write whose condition fails changes nothing, and answers ConditionalCheckFailedException with the item.",
    source="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html",
    breaks="Jobs overwrite what somebody else has written, or look again at every conflict.",
    tables=WRITTEN,
)
def failed_condition(kit: Kit) -> str:
    item = {"p": {"S": "condition"}, "s": MAXIMUM["S"], "made": {"N": "1"}}
    asked = {
        "TableName": kit.table("written"),
        "ConditionExpression": "attribute_not_exists(p)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    kit.dynamodb.put_item(Item=item, **asked)
    try:
        kit.dynamodb.put_item(Item={**item, "made": {"N": "2"}}, **asked)
    except kit.dynamodb.exceptions.ConditionalCheckFailedException as error:
        found = error.response.get("Item")
    else:
        raise NotHeldError("the second put was carried out")
    hold(found == item, "the answer has no item" if found is None else "the answer has another item")
    return "the answer holds the item"
