"""What environments cannot both have because they would disturb each other: readers of a stream, targets of copies."""

from __future__ import annotations

from collections.abc import Iterator

from skipscan.dynamodb.delivery import MOST_READERS
from skipscan.inputs.names import quoted

from .environment import Environment
from .section import CdkJsonError, plain


def check_side_by_side(environments: tuple[Environment, ...]) -> None:
    """Raise `CdkJsonError` for environments that cannot be deployed together."""
    _check_readers(environments)
    _check_targets(environments)


def _check_readers(environments: tuple[Environment, ...]) -> None:
    """Refuse more readers of a stream than DynamoDB allows, counted over all environments."""
    readers: dict[str, list[str]] = {}
    for environment in environments:
        for writing in environment.writing:
            for name, stream in writing.followers.items():
                readers.setdefault(stream, []).append(_place(environment, writing.table, name))
    for stream, places in readers.items():
        if len(places) > MOST_READERS:
            raise CdkJsonError(
                f"cdk.json: {quoted(stream)} would have {len(places)} readers ({', '.join(places)}); DynamoDB allows "
                f"{MOST_READERS} a shard and throttles more: remove one"
            )


def _check_targets(environments: tuple[Environment, ...]) -> None:
    """Refuse a copy whose target somebody else changes, too.

    A replicator makes its target equal to its own source. With a second one, what a source deletes would be deleted in
    the other's copy; a keeper or a retrofit of the target would be undone; copies in a circle would never end.
    """
    targets: dict[str, str] = {}
    others = {table: place for environment in environments for table, place in _changed(environment)}
    for environment in environments:
        for table, copied in environment.copies:
            target = environment.resource(copied.to)
            place = _place(environment, table, "copy.to")
            if (earlier := targets.setdefault(target, place)) != place:
                raise CdkJsonError(
                    f"cdk.json: {earlier} and {place} are the same table, {quoted(copied.to)}; each copy would undo "
                    "the other's writes: give each copy a table of its own"
                )
            if target in others:
                raise CdkJsonError(
                    f"cdk.json: {place} is {quoted(copied.to)}; {others[target]} names this table, too, and the copy "
                    "would undo its writes, or copy in a circle: remove one of the two, or use another table"
                )


def _changed(environment: Environment) -> Iterator[tuple[str, str]]:
    """Return the tables that retrofits and keepers change, or that are copied, with their places."""
    for writing in environment.writing:
        jobs = [*writing.followers, *(["retrofit"] if writing.retrofit else [])]
        for job in jobs:
            yield environment.resource(writing.table), _place(environment, writing.table, job)


def _place(environment: Environment, table: str, field: str) -> str:
    return f"environments.{environment.name}.writing.{plain(table)}.{field}"
