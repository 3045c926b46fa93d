"""Whether anything else that an environment names writes to a copy's target, or brings its writes back to the source.

A replicator makes the target agree with the source, again at every change. Another writer of the target does the same
for its own source, and neither ever ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from skipscan.copy.replica import Replica
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from skipscan.inputs.names import table_name

KEEPERS = ("keeper", "attribute_keeper")
"""The followers that write to the table that they follow, by their fields in cdk.json."""


def check_apart(
    replica: Replica,
    others: Iterable[Replica] = (),
    followers: Mapping[str, Sequence[str]] = MappingProxyType({}),
    retrofitted: Sequence[str] = (),
) -> None:
    """Raise `TableError` for a copy whose target is its source, or has another writer.

    `others`: the environment's other pairs. `followers`: by table name, the functions that follow its stream.
    `retrofitted`: the names of the tables that retrofits may write to.
    """
    source, target = table_name(replica.source), table_name(replica.target)
    if target == source:
        raise TableError("to", target, "it is the table itself", "use another table in cdk.json, and deploy")
    pairs = [(table_name(other.source), table_name(other.target)) for other in others]
    for other, its_target in pairs:
        if its_target == target and other != source:
            raise TableError(
                "to",
                target,
                f'this environment also copies table "{other}" to it, and each replicator would undo what the '
                "other writes",
                "give every copy a target of its own in cdk.json, and deploy",
            )
    if source in (reached := _reached(target, pairs)):
        way = " to ".join(f'"{name}"' for name in reached)
        raise TableError(
            "to",
            target,
            f"this environment also copies it: {way}, so each change would come back to its table, without end",
            'remove one "copy" from cdk.json, and deploy',
        )
    writers = {*followers.get(target, ()), *(["retrofit"] if target in retrofitted else [])}
    for writer in (*KEEPERS, "retrofit"):
        if writer in writers:
            raise TableError(
                "to",
                target,
                f'its "{writer}" in this environment writes to it, and the replicator would undo that',
                f'remove "{writer}" of "{target}" from cdk.json, and deploy it again after the cut-over',
            )


def target_warnings(target: TableDescription) -> list[str]:
    """Return a warning for a target whose stream others may follow: who does cannot be read from the table."""
    if target.stream is None:
        return []
    return [
        f'table "{target.name}" has a stream: a function that follows it and writes to this table or to the old one, '
        "also one of another environment, would undo each change or bring it back, without end: check its triggers"
    ]


def _reached(start: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return the tables to which a change of a table is copied, from one to the next, beginning with it."""
    following = dict(pairs)
    way = [start]
    while (target := following.get(way[-1])) is not None and target not in way:
        way.append(target)
    return way
