"""A table in memory: its items, and its indexes kept in step with them."""

from collections.abc import Iterable
from threading import RLock

from tests.fakes.attribute_value import Item, orderable, stored
from tests.fakes.definition import KeyAttribute, TableDefinition
from tests.fakes.error import validation_error
from tests.fakes.item_size import item_bytes
from tests.fakes.view import View

ITEM_LIMIT_BYTES = 400 * 1024


class FakeTable:
    """`views` holds the table itself at None and its indexes by name; hold `lock` while reading several entries."""

    def __init__(self, definition: TableDefinition) -> None:
        self.definition = definition
        self.views: dict[str | None, View] = {None: View(definition)}
        self.views.update({index.name: View(definition, index) for index in definition.indexes})
        self.lock = RLock()
        self._items: dict[tuple[object, ...], Item] = {}

    def put(self, item: Item) -> None:
        item = self.checked(item)
        with self.lock:
            self.delete(item)
            self._items[self._identity(item)] = item
            for view in self.views.values():
                view.add(item)

    def load(self, items: Iterable[Item]) -> None:
        """Put many items into an empty table, much faster than one by one."""
        with self.lock:
            if self._items:
                raise ValueError("load() fills an empty table; use put()")
            for item in map(self.checked, items):
                self._items[self._identity(item)] = item
            for view in self.views.values():
                view.add_all(self._items.values())

    def delete(self, key: Item) -> None:
        """Remove the item with the key, if there is one."""
        with self.lock:
            if old := self._items.pop(self._identity(key), None):
                for view in self.views.values():
                    view.remove(old)

    def get(self, key: Item) -> Item | None:
        """A copy of the item with the key, if there is one; other attributes of `key` mean nothing."""
        with self.lock:
            found = self._items.get(self._identity(key))
            return dict(found) if found is not None else None

    def items(self) -> list[Item]:
        with self.lock:
            return [dict(item) for item in self._items.values()]

    def _identity(self, item: Item) -> tuple[object, ...]:
        return tuple(orderable(item[attribute.name]) for attribute in self.definition.key.attributes)

    def checked(self, item: Item) -> Item:
        """The item as it would be stored; raises what the service raises."""
        for attribute in self.definition.key.attributes:
            if attribute.name not in item:
                raise _refused(f"Missing the key {attribute.name} in the item")
        for view in self.views.values():
            for attribute in view.key_attributes:
                if attribute.name in item and attribute.type not in item[attribute.name]:
                    raise _refused(f"Type mismatch for key {attribute.name} expected: {attribute.type}")
            schema = view.order.key
            check_lengths(item, schema.partition, 2048, "hashkey")
            check_lengths(item, schema.sort, 1024, "rangekey")
        try:
            item = {name: stored(value) for name, value in item.items()}
        except ValueError as error:
            raise validation_error(str(error), "PutItem") from error
        if item_bytes(item) > ITEM_LIMIT_BYTES:
            raise validation_error("Item size has exceeded the maximum allowed size", "PutItem")
        return item


def check_lengths(item: Item, attributes: tuple[KeyAttribute, ...], limit_bytes: int, role: str) -> None:
    """Raise for key values that are empty or longer than DynamoDB allows."""
    for attribute in attributes:
        if attribute.type == "N" or attribute.name not in item:
            continue
        content = item[attribute.name][attribute.type]
        length = len(content.encode() if attribute.type == "S" else content)
        if length == 0:
            raise _refused(f"The AttributeValue for a key attribute cannot be empty. Key: {attribute.name}")
        if length > limit_bytes:
            raise _refused(f"Size of {role} has exceeded the maximum size limit of {limit_bytes} bytes")


def _refused(reason: str) -> Exception:
    return validation_error(f"One or more parameter values were invalid: {reason}", "PutItem")
