"""What writes cost, and what a failed condition answers."""

import secrets
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.dynamodb.write_units import value_bytes
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.observations import WRITES, number_bytes, undecided_number_bytes, written_table
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition

UNIT_BYTES = 1024
WRITTEN = TableDefinition("written", KeySchema.of(("pk", "S"), ("sk", "S")))
VALUES: dict[str, Any] = {
    "text": {"S": "é"},
    "flag": {"BOOL": True},
    "nothing": {"NULL": True},
    "list": {"L": [{"S": "é"}, {"N": "0"}]},
    "map": {"M": {"a": {"B": b"\xff"}, "b": {"SS": ["x", "yy"]}}},
}


def units(answer: Any) -> dict[str, float]:
    """Return the units that a write consumed: of the table, and of each index that it consumed some of."""
    consumed = answer["ConsumedCapacity"]
    found = {"table": float(consumed["Table"]["CapacityUnits"])}
    for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        found |= {name: each["CapacityUnits"] for name, each in consumed.get(kind, {}).items()}
    return {name: count for name, count in found.items() if count}


def costs_of_a_kilobyte(engine: Engine, value: Any, value_bytes: int) -> list[dict[str, float]]:
    """Return what items of 1,024 and 1,025 bytes cost that have a value of so many bytes."""
    engine.load(WRITTEN, [])
    rest = UNIT_BYTES - (len("pkpskvfill") + 7 + value_bytes)
    # New items, because a put over a larger one costs what that would.
    answers = (
        engine.client.put_item(
            TableName=WRITTEN.name,
            Item={
                "pk": {"S": "p"},
                "sk": {"S": secrets.token_hex(4)[:7]},
                "v": value,
                "fill": {"B": bytes(rest + more)},
            },
            ReturnConsumedCapacity="INDEXES",
        )
        for more in (0, 1)
    )
    return [*map(units, answers)]


ONE_THEN_TWO = [{"table": 1.0}, {"table": 2.0}]


def test_a_number_has_the_observed_size(engine: Engine) -> None:
    costs = {text: costs_of_a_kilobyte(engine, {"N": text}, size) for text, size in number_bytes().items()}
    assert {text: cost for text, cost in costs.items() if cost != ONE_THEN_TWO} == {}


def test_a_number_has_the_undecided_size(engine: Engine) -> None:
    """As Skipscan counts it; the rule of others says one byte less, and nobody has asked the service."""
    costs = {
        text: costs_of_a_kilobyte(engine, {"N": text}, value_bytes({"N": text})) for text in undecided_number_bytes()
    }
    assert {text: cost for text, cost in costs.items() if cost != ONE_THEN_TWO} == {}


@pytest.mark.parametrize("name", VALUES)
def test_an_item_has_the_size_of_its_names_and_values(engine: Engine, name: str) -> None:
    assert costs_of_a_kilobyte(engine, VALUES[name], value_bytes(VALUES[name])) == ONE_THEN_TWO


def test_a_write_costs_the_observed_units(engine: Engine) -> None:
    definition, found = written_table(), {}
    engine.load(definition, [])
    for case in WRITES:
        for item in filter(None, (case.before, case.after)):
            answer = engine.client.put_item(TableName=definition.name, Item=item, ReturnConsumedCapacity="INDEXES")
        engine.delete(definition.name, {name: case.after[name] for name in ("pk", "sk")})
        found[case.what] = units(answer)
    assert found == {case.what: case.units for case in WRITES}


def test_a_failed_condition_answers_with_the_item(engine: Engine) -> None:
    engine.load(WRITTEN, [])
    item: Item = {"pk": {"S": "condition"}, "sk": {"S": "s"}, "made": {"N": "1"}}
    engine.put(WRITTEN.name, item)
    with pytest.raises(ClientError) as refused:
        engine.client.put_item(
            TableName=WRITTEN.name,
            Item={**item, "made": {"N": "2"}},
            ConditionExpression="attribute_not_exists(#pk)",
            ExpressionAttributeNames={"#pk": "pk"},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    response: Any = refused.value.response
    assert (response["Error"]["Code"], response.get("Item")) == ("ConditionalCheckFailedException", item)
    key = {name: item[name] for name in ("pk", "sk")}
    assert engine.client.get_item(TableName=WRITTEN.name, Key=key, ConsistentRead=True)["Item"] == item


OTHERS: dict[str, Any] = {
    "number": {"N": "1E+1"},
    "binary": {"B": b"\x00\xff"},
    "set": {"NS": ["1", "2.50"]},
    **{name: VALUES[name] for name in ("text", "flag", "nothing", "list", "map")},
}
WRITTEN_OTHERWISE: dict[str, Any] = {"number": {"N": "10.0"}, "set": {"NS": ["2.5", "1.0"]}}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_condition_compares_values_of_every_type(engine: Engine, kind: str) -> None:
    """By what they mean, not by how they are written: so an act deletes an item as it was listed, and no other."""
    engine.load(WRITTEN, [])
    key: Item = {"pk": {"S": "compared"}, "sk": {"S": "s"}}
    engine.put(WRITTEN.name, {**key, "a": OTHERS[kind]})

    def delete(value: Any) -> None:
        engine.client.delete_item(
            TableName=WRITTEN.name,
            Key=dict(key),
            ConditionExpression="#a = :a",
            ExpressionAttributeNames={"#a": "a"},
            ExpressionAttributeValues={":a": value},
        )

    for another in ({"S": "another"}, {"M": {"a": {"N": "1"}}}, {"NS": ["1"]}):
        with pytest.raises(ClientError, match="ConditionalCheckFailedException"):
            delete(another)
    delete(WRITTEN_OTHERWISE.get(kind, OTHERS[kind]))
    assert "Item" not in engine.client.get_item(TableName=WRITTEN.name, Key=dict(key), ConsistentRead=True)
