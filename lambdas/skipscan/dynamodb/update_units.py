"""What setting attributes of an item costs, in the table and in every index that sees a difference."""

from skipscan.dynamodb.equality import is_same_item, is_same_value
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import WrittenIndex, WrittenTable, write_units


def update_units(table: WrittenTable, before: Item, after: Item) -> dict[str | None, int]:
    """Return the write units of an update: of the table at `None`, of each index it writes to by name.

    The table is billed by the larger of the item before and after (developer guide, "Write operation units"). An
    index is billed for an entry that comes, goes or changes, and twice, a delete and a put, if its key changes
    (developer guide, "Global secondary indexes", "Write capacity units").
    """
    units: dict[str | None, int] = {None: max(write_units(before), write_units(after))}
    for index in table.indexes:
        if count := _entry_units(index, before, after):
            units[index.name] = count
    return units


def _entry_units(index: WrittenIndex, before: Item, after: Item) -> int:
    old, new = index.entry(before), index.entry(after)
    if is_same_item(old, new):
        return 0
    if old is None or new is None:
        return write_units(old or new or {})
    if any(not is_same_value(old[name], new[name]) for name in index.keys):
        return write_units(old) + write_units(new)
    return max(write_units(old), write_units(new))
