"""The facts behind a marker index: which items of a table are in an index, and which are not."""

from itertools import count

import pytest
from botocore.exceptions import ClientError

from local.embedded import dynamodb_client
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError
from skipscan.markers.marker import Marker
from tests.engines.conformance.engine import Engine, FakeEngine
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.refusal import refused
from tests.unit.markers import sample

pytestmark = pytest.mark.xdist_group("dynalite")

NUMBERS = count(1)
TABLE = TableDefinition(
    "Sparse",
    KeySchema.of(("pk", "S"), ("sk", "S")),
    (
        IndexDefinition("one-key", KeySchema.of(("gsi_pk", "S")), projection="KEYS_ONLY"),
        IndexDefinition("two-keys", KeySchema.of(("gsi_pk", "S"), ("gsi_sk", "S")), projection="KEYS_ONLY"),
    ),
)


@pytest.fixture(params=["fake", "dynalite"])
def sparse_engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "fake":
        engine: Engine = FakeEngine()
    else:
        engine = Engine(dynamodb_client(request.getfixturevalue("dynalite")))
    return engine


def loaded(engine: Engine, *items: Item) -> str:
    table = f"Sparse-{next(NUMBERS)}"
    engine.load(TableDefinition(table, TABLE.key, TABLE.indexes), ())
    for item in items:
        engine.put(table, dict(item))
    return table


def listed(engine: Engine, table: str, index: str) -> list[str]:
    return sorted(item["pk"]["S"] for item in engine.scan(TableName=table, IndexName=index)["Items"])


@pytest.mark.parametrize("attribute", ["pk", "sk", "gsi_pk", "gsi_sk"])
@pytest.mark.parametrize("value", [{"NULL": True}, {"S": ""}], ids=["null", "empty"])
def test_a_key_attribute_cannot_be_null_or_empty(
    request: pytest.FixtureRequest, sparse_engine: Engine, attribute: str, value: dict[str, object]
) -> None:
    if not isinstance(sparse_engine, FakeEngine) and "S" in value and attribute in ("gsi_pk", "gsi_sk"):
        request.applymarker(pytest.mark.xfail(reason="dynalite takes an empty key of an index", strict=True))
    table = loaded(sparse_engine)
    whole = sample.item("id-1", "a", gsi_pk="x", gsi_sk="y")
    with pytest.raises(ClientError) as refused:
        sparse_engine.put(table, {**whole, attribute: value})
    assert refused.value.response["Error"]["Code"] == "ValidationException"


def test_a_marker_with_such_a_key_attribute_is_refused_before_anything_is_written() -> None:
    for template in ({"sk": None, "gsi_pk": "{pk}"}, {"sk": "#static", "gsi_pk": None}, {"sk": "", "gsi_pk": "{pk}"}):
        with refused(
            InputError, f"marker.{next(name for name, it in template.items() if not it)}", rule="a key attribute"
        ):
            Marker.described(template, "Sparse", TableDescription.from_json(TABLE.request()), sample.HOME)


def test_an_item_without_the_index_s_partition_key_is_not_in_it(sparse_engine: Engine) -> None:
    table = loaded(sparse_engine, sample.item("id-1", "a"), sample.item("id-2", "a", gsi_pk="x"))
    assert listed(sparse_engine, table, "one-key") == ["id-2"]


def test_an_item_that_lacks_either_key_attribute_is_not_in_the_index(sparse_engine: Engine) -> None:
    table = loaded(
        sparse_engine,
        sample.item("id-1", "a"),
        sample.item("id-2", "a", gsi_pk="x"),
        sample.item("id-3", "a", gsi_sk="y"),
        sample.item("id-4", "a", gsi_pk="x", gsi_sk="y"),
    )
    assert listed(sparse_engine, table, "two-keys") == ["id-4"]
    assert listed(sparse_engine, table, "one-key") == ["id-2", "id-4"]


def test_an_item_joins_and_leaves_an_index_with_its_attributes(sparse_engine: Engine) -> None:
    table = loaded(sparse_engine, sample.item("id-1", "a", gsi_pk="x", gsi_sk="y"))
    sparse_engine.put(table, dict(sample.item("id-1", "a", gsi_pk="x")))
    assert listed(sparse_engine, table, "two-keys") == []
    sparse_engine.put(table, dict(sample.item("id-1", "a", gsi_pk="x", gsi_sk="y")))
    assert listed(sparse_engine, table, "two-keys") == ["id-1"]


def test_keys_of_an_index_need_not_be_unique(sparse_engine: Engine) -> None:
    same = {"gsi_pk": "x", "gsi_sk": "y"}
    table = loaded(sparse_engine, sample.item("id-1", "a", **same), sample.item("id-2", "a", **same))
    assert listed(sparse_engine, table, "two-keys") == ["id-1", "id-2"]
