"""The marker of an item collection: the only item of it in a sparse index.

A marker has a sort key of its own in its collection. An item at that key serves as a marker if it has every attribute
of the template with the template's value, whatever else it has: the index lists it. It may be deleted only if it has
the mark of its environment and nothing else. Any other item there is the user's data.
"""

from dataclasses import dataclass
from typing import Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.equality import check_equality, is_same_item
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.errors import OMITTED, InputError, TableError
from skipscan.items.mark import MARK, is_of, of_keeper
from skipscan.items.template import ItemTemplate


@dataclass(frozen=True)
class Marker:
    """The markers of one table. `template`: all their attributes except the partition key and the mark.

    `home`: see `skipscan.items.mark`.
    """

    table: str
    partition_key: KeyAttribute
    sort_key: KeyAttribute
    template: ItemTemplate
    home: str

    @classmethod
    def described(cls, document: object, table: str, description: TableDescription, home: str) -> Self:
        """Return a table's marker from its template.

        Raises `TableError` for a table that can have no markers, `InputError` for a template that DynamoDB would
        refuse.
        """
        source = Source.described(table, description, None)
        ((partition_key,), sort_key) = source.partition_key, source.sort_key
        if not sort_key:
            raise TableError(
                "table",
                table,
                "it has no sort key, so its item collections have one item each and cannot have a marker",
                "put the index's attributes on the items themselves",
            )
        template = ItemTemplate.parse(document, "marker")
        template.check("marker", [partition_key], description.key_attributes)
        template.check_marked("marker", source)
        if len(template.values) == 1:
            raise InputError(
                "marker",
                OMITTED,
                "has only the table's sort key, so no sparse index would contain it",
                'add the partition key of the index, like "GSI-pk": "{' + partition_key.name + '}"',
            )
        # The keeper compares each of them, and the mark, when it deletes a marker.
        check_equality({*template.values, MARK} - {sort_key[0].name}, "marker")
        return cls(table, partition_key, sort_key[0], template, home)

    def item(self, partition_key: AttributeValue) -> Item:
        """Return a collection's marker, whole, with the keeper's mark."""
        return {**self._listed(partition_key), MARK: {"S": of_keeper(self.home)}}

    def key(self, partition_key: AttributeValue) -> Item:
        marker = self._listed(partition_key)
        return {name: marker[name] for name in self.key_names}

    @property
    def key_names(self) -> tuple[str, str]:
        return self.partition_key.name, self.sort_key.name

    def only_added(self, change: Change) -> bool:
        """Return whether every record of a collection is about an added item other than the marker."""
        return all(record.event == "INSERT" and not self.lies_at(record.key) for record in change.records)

    def lies_at(self, key: Item) -> bool:
        """Return whether a key, or an item, is at the marker's place in its collection."""
        name = self.sort_key.name
        return is_same_item({name: key[name]}, {name: self._listed(key[self.partition_key.name])[name]})

    def is_marker(self, item: Item) -> bool:
        """Return whether an item serves as a marker. Whether it may be deleted is another question."""
        listed = self._listed(item[self.partition_key.name])
        return is_same_item({name: item[name] for name in listed if name in item}, listed)

    def is_marked(self, item: Item) -> bool:
        """Return whether the keeper, or a job of its environment, put the item."""
        return is_of(self.home, item)

    def is_bare(self, item: Item) -> bool:
        """Return whether a marker has only the attributes that it was put with."""
        return item.keys() <= {*self._listed(item[self.partition_key.name]), MARK}

    def _listed(self, partition_key: AttributeValue) -> Item:
        """Return the template's attributes for a collection."""
        key = {self.partition_key.name: partition_key}
        return {**key, **self.template.render(key)}
