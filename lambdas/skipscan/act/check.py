"""Checks an action against the run and the table, so that Plan refuses what DynamoDB would refuse later."""

from collections.abc import Mapping, Sequence

from skipscan.act.action import Action
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.errors import OMITTED, InputError, TableError, leave_out


def check_target(
    action: Action,
    partition_key: Sequence[KeyAttribute],
    index: str | None,
    description: TableDescription,
    *,
    skips_ended: bool = False,
) -> None:
    """Raise `InputError` or `TableError` unless the action fits the run's keys and the table.

    `partition_key`: the partition key that the run listed, of `index` or of the table. `skips_ended`: each collection
    is read first, by its key in the table.
    """
    if not action.writes and not skips_ended:
        return
    table = Source.described(description.name, description, None)
    if tuple(partition_key) != table.partition_key:
        names = ", ".join(attribute.name for attribute in table.partition_key)
        if index is not None:
            raise InputError(
                f'the run listed index "{index}", whose keys differ from the table\'s keys ({names})',
                remedy=("list the table itself, or use an action that does not write and ", leave_out("skip_ended")),
            )
        raise TableError(
            "the table's partition key", OMITTED, f"is now {names}", "list the table again, and act on that run"
        )
    if not action.writes:
        return
    if not table.sort_key:
        raise TableError(
            f'table "{description.name}"',
            OMITTED,
            "has no sort key, so an item collection has exactly one item",
            "invoke a function or send to a queue instead",
        )
    action.check(table, description.key_attributes)


def check_enabled(action: Action, description: TableDescription, writing: Mapping[str, Sequence[str]]) -> None:
    """Raise `TableError` unless the environment allows jobs on the table. `writing`: allowed targets by table ARN."""
    name, targets = description.name, writing.get(description.arn)
    if targets is None:
        raise TableError(
            "table",
            name,
            "this environment does not allow acts on it",
            f'add "writing": {{"{name}": {{"act": true}}}} to the environment in cdk.json, and deploy',
        )
    target = action.target
    if target is not None and target not in targets:
        raise TableError(
            action.name,
            OMITTED,
            f'names "{target}"; the targets of table "{name}" in this environment are {", ".join(targets) or "none"}',
            "add it to the targets in cdk.json, and deploy",
        )
