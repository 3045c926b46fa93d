"""What right values contradict each other: of an environment, and of environments that would disturb each other.

Those are readers of a stream, and targets of copies. Imports nothing of aws_cdk.
"""

from __future__ import annotations

from collections.abc import Iterator

from skipscan.dynamodb.delivery import MOST_READERS
from skipscan.inputs.names import quoted
from skipscan.listing.execution_input import check_taken, parse
from skipscan.loop.begin import within_ceiling

from .company import boundary_account
from .environment import KEYS, Environment, Schedule
from .section import CdkJsonError, Section, mistakes, plain
from .writing import Writing


def check(section: Section, environment: Environment) -> None:
    """Raise `CdkJsonError` for fields of an environment that contradict each other. `section`: as cdk.json has it."""
    if boundary_account(environment.company.permissions_boundary) not in {None, environment.account}:
        raise section.mistake(
            "permissions_boundary",
            f"it must be a policy of AWS or of the environment's own account, {environment.account}: correct it or "
            "leave it out",
        )
    if (environment.take == KEYS) != bool(environment.key_attributes):
        raise section.mistake(
            "key_attributes",
            'the names of the key attributes of tables and their indexes belong to "take": "keys": give both or none',
        )
    schedules, writing = section.section("schedules"), section.section("writing")
    _check_distinct(section.items("tables", ""), environment)
    _check_distinct(writing, environment)
    for entry in environment.writing:
        _check_writing(writing, entry, environment)
    for schedule in environment.schedules:
        _check_schedule(schedules.section(schedule.name), schedule, environment)


def _check_distinct(section: Section, environment: Environment) -> None:
    """Refuse a table that is there twice, also by its name and by its ARN. `section`: a list, or an object by table."""
    places: dict[str, str] = {}
    for field, value in section.values.items():
        table = value if isinstance(value, str) else field
        place = ".".join([*section.path, plain(field)])
        if (earlier := places.setdefault(environment.resource(table), place)) != place:
            raise section.mistake(field, f"it is the same table as {earlier}: remove one")


def _check_schedule(section: Section, schedule: Schedule, environment: Environment) -> None:
    given = section.section("input")
    if not environment.reads(str(schedule.input["table"])):
        raise given.mistake(
            "table",
            f"this environment may read {', '.join(environment.tables)}: add it to tables or correct it",
        )
    with mistakes(section.where("input")):
        asked = parse(schedule.input)
        check_taken(asked, environment.key_attributes)
        within_ceiling(schedule.input, environment.limits.max_dollars)
    if schedule.late_after_hours and not environment.alarms:
        raise section.mistake(
            "late_after_hours", "monitoring.alarms is false, so no alarm would be sent: leave one of the two out"
        )
    if schedule.late_after_hours and asked.dry_run:
        raise section.mistake(
            "late_after_hours", "a dry run or a profile has no finished runs that could be late: leave it out"
        )


def _check_writing(section: Section, writing: Writing, environment: Environment) -> None:
    if not environment.reads(writing.table):
        raise section.mistake(writing.table, f"the table is not in tables: add {writing.table} there or remove it here")
    if environment.resource(writing.table).split(":")[2] != environment.account:
        raise section.mistake(
            writing.table,
            f"jobs write to tables of their own account, {environment.account}, because roles of another account "
            "cannot get the permissions: add an environment in the table's account",
        )
    place = f"{environment.region}:{environment.account}:"
    for name, stream in writing.followers.items():
        if not stream.partition(":dynamodb:")[2].startswith(place):
            keeper = section.section(writing.table).section(name)
            raise keeper.mistake(
                "stream", "the keeper follows streams of its own account and region: add an environment there"
            )


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
