"""The table of the marker tests: a sparse index that lists the item at "#static" of each collection."""

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.markers.marker import Marker
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition

HOME = "dev-0123456789abcdef"
TEMPLATE = {"sk": "#static", "GSI-pk": "{pk}"}


def definition(table: str) -> TableDefinition:
    index = IndexDefinition("markers", KeySchema.of(("GSI-pk", "S")), projection="KEYS_ONLY")
    return TableDefinition(table, KeySchema.of(("pk", "S"), ("sk", "S")), (index,))


def marker(table: str = "Orders") -> Marker:
    return Marker.described(TEMPLATE, table, TableDescription.from_json(definition(table).request()), HOME)


def item(pk: str, sk: str, **more: str) -> Item:
    return {"pk": {"S": pk}, "sk": {"S": sk}, **{name: {"S": text} for name, text in more.items()}}
