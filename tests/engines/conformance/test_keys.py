"""The greatest keys, behind which nothing sorts, and what tells one table from another."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.engines.conformance.engine import Engine
from tests.fakes.attribute_value import KeyType
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.tables import KEY_TYPES

LONGEST: dict[str, Any] = {"S": "a" * 2048, "N": MAXIMUM["N"]["N"], "B": bytes(2048)}
BEHIND: dict[str, Any] = {"S": MAXIMUM["S"]["S"] + "a", "N": "1E+126", "B": MAXIMUM["B"]["B"] + b"\0"}


def keys(kind: KeyType) -> TableDefinition:
    return TableDefinition(f"keys-{kind}", KeySchema.of(("pk", kind), ("sk", kind)))


@pytest.mark.refused_by_aws
@pytest.mark.parametrize("kind", KEY_TYPES)
def test_nothing_sorts_behind_the_greatest_keys(engine: Engine, kind: KeyType) -> None:
    table, key = keys(kind), dict[str, Any](pk={kind: LONGEST[kind]}, sk=MAXIMUM[kind])
    engine.load(table, [])
    engine.put(table.name, key)
    assert engine.client.get_item(TableName=table.name, Key=key)["Item"].keys() == key.keys()
    engine.delete(table.name, key)
    too_long = [{**key, "sk": {kind: BEHIND[kind]}}]
    if kind != "N":
        too_long.append({**key, "pk": {kind: LONGEST[kind] * 2}})
    for each in too_long:
        for call, asked in (engine.client.put_item, {"Item": each}), (engine.client.get_item, {"Key": each}):
            with pytest.raises(ClientError) as refused:
                call(TableName=table.name, **asked)
            assert refused.value.response["Error"]["Code"] == "ValidationException"


def test_two_tables_have_two_ids(engine: Engine) -> None:
    for kind in ("S", "N"):
        engine.load(keys(kind), [])
    ids = [engine.describe(keys(kind).name).get("TableId") for kind in ("S", "N", "S")]
    assert ids[0] == ids[2] != ids[1]
    assert all(ids)
