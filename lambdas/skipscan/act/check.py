"""What a table and a run say about an action before it may begin: refused here is what DynamoDB would refuse later."""

from collections.abc import Mapping, Sequence

from skipscan.act.action import MARK, WRITING, Action, DeleteItem, Invoke, PutItem, Send
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.errors import InputError, TableError
from skipscan.templates.item import ItemTemplate


def check(action: Action, listed: Sequence[KeyAttribute], index: str | None, description: TableDescription) -> None:
    """Raise `InputError` or `TableError` unless the action fits the run's keys and the table.

    `listed`: the partition key that the run listed, of `index` or of the table.
    """
    if not isinstance(action, WRITING):
        return
    table = Source.described(description.name, description, None)
    if tuple(listed) != table.partition_key:
        names = ", ".join(attribute.name for attribute in table.partition_key)
        if index is not None:
            raise InputError(
                f'the run listed index "{index}", whose keys are not the table\'s own ({names}): list the table '
                "itself, or name another action than one that writes"
            )
        raise TableError(f"the table's partition key is now {names}: list it anew, and act on that run")
    if not table.skipped:
        raise TableError(
            f'table "{description.name}" has no sort key, so an item collection has one item and no room for '
            "another: invoke a function or send to a queue instead"
        )
    keys = description.key_attributes
    if isinstance(action, PutItem):
        _check_item(action.item, table, keys)
    elif isinstance(action, DeleteItem):
        _check_key(action.key, table)
        action.key.check(table.partition_key, keys)
        if action.condition:
            action.condition.check(table.partition_key, ())


def _check_item(item: ItemTemplate, table: Source, keys: Sequence[KeyAttribute]) -> None:
    own = {attribute.name for attribute in table.partition_key}
    for name in item.values:
        if name in own:
            raise InputError(f"{item.name}.{name} is the table's partition key, which is filled in: leave it out")
        if name == MARK:
            raise InputError(f"{item.name}.{MARK} is the mark by which a job knows its items: leave it out")
    _check_sort_key(item, table)
    item.check(table.partition_key, keys)


def _check_key(key: ItemTemplate, table: Source) -> None:
    _check_sort_key(key, table)
    wanted = table.skipped[0].name
    for name in key.values:
        if name != wanted:
            raise InputError(
                f'{key.name}.{name} is not the table\'s sort key; the key of an item to delete is {{"{wanted}": …}} '
                "alone, its partition key is filled in: leave it out"
            )


def _check_sort_key(template: ItemTemplate, table: Source) -> None:
    sort_key = table.skipped[0].name
    if sort_key not in template.values:
        raise InputError(
            f"{template.name}.{sort_key} is missing; it is the table's sort key and says which item of each collection "
            f'is meant: write it like {{"{sort_key}": "#static"}}'
        )


def check_enabled(action: Action, description: TableDescription, writing: Mapping[str, Sequence[str]]) -> None:
    """Raise `TableError` unless the environment lets jobs act on the table. `writing`: targets by table ARN."""
    name, targets = description.name, writing.get(description.arn)
    if targets is None:
        raise TableError(
            f'table is "{name}"; this environment lets no job act on it: add "writing": {{"{name}": {{"act": true}}}} '
            "to the environment in cdk.json, and deploy"
        )
    target = action.function if isinstance(action, Invoke) else action.queue if isinstance(action, Send) else None
    if target is not None and target not in targets:
        raise TableError(
            f'{action.name} names "{target}"; the targets of table "{name}" in this environment are '
            f"{', '.join(targets) or 'none'}: add it to the targets in cdk.json, and deploy"
        )
