"""The marker of an item collection: the one item of it that a sparse index lists.

A marker lies at a sort key of its own in its collection. An item at that key is a marker only if it has every attribute
of the template with the template's value, whatever else it has; any other item there is somebody's data.
"""

from dataclasses import dataclass
from typing import Self

from skipscan.dynamodb.equality import is_same_value
from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.errors import InputError, TableError
from skipscan.templates.item import ItemTemplate


@dataclass(frozen=True)
class Marker:
    """What a marker of one table looks like; `template` gives all its attributes but the partition key."""

    table: str
    partition_key: KeyAttribute
    sort_key: KeyAttribute
    template: ItemTemplate

    @classmethod
    def described(cls, document: object, table: str, description: TableDescription) -> Self:
        """Return the marker that a template document gives a table.

        Raises `TableError` for a table that can have none, `InputError` for a template that DynamoDB would refuse.
        """
        source = Source.described(table, description, None)
        ((partition_key,), sort_key) = source.partition_key, source.skipped
        if not sort_key:
            raise TableError(
                f'table is "{table}"; it has no sort key, so its item collections have one item each and no room '
                "for a marker: put the index's attributes on the items themselves"
            )
        template = ItemTemplate.parse(document, "marker")
        template.check([partition_key], description.key_attributes)
        if partition_key.name in template.values:
            raise InputError(
                f"marker.{partition_key.name} is the table's partition key, which every collection gives its marker: "
                "leave it out"
            )
        if sort_key[0].name not in template.values:
            raise InputError(
                f"marker.{sort_key[0].name} is missing; it is the table's sort key and says where in its collection a "
                'marker lies: write it like "#static"'
            )
        if len(template.values) == 1:
            raise InputError(
                "marker has nothing but the table's sort key, so no sparse index would list it: "
                'add the partition key of the index, like "GSI-pk": "{' + partition_key.name + '}"'
            )
        return cls(table, partition_key, sort_key[0], template)

    def item(self, partition_key: AttributeValue) -> Item:
        """Return the marker of a collection, whole."""
        key = {self.partition_key.name: partition_key}
        return {**key, **(self.template.render(key) or {})}  # never None: its check let it name this attribute alone

    def key(self, partition_key: AttributeValue) -> Item:
        marker = self.item(partition_key)
        return {name: marker[name] for name in (self.partition_key.name, self.sort_key.name)}

    def marks(self, partition_key: AttributeValue) -> Item:
        """Return the attributes by which a marker is told from somebody's item at its key."""
        return {name: value for name, value in self.item(partition_key).items() if name not in self.key(partition_key)}

    def lies_at(self, key: Item) -> bool:
        """Tell whether a key, or an item, is at the marker's place in its collection."""
        name = self.sort_key.name
        return is_same_value(key[name], self.item(key[self.partition_key.name])[name])

    def is_marker(self, item: Item) -> bool:
        wanted = self.item(item[self.partition_key.name])
        return all(name in item and is_same_value(item[name], wanted[name]) for name in wanted)
