"""`skipscan resume TABLE [NAME]`: resume a run or job that was stopped, failed or used up its budget."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skipscan.cli.at import At
from skipscan.cli.commands import JOBS
from skipscan.cli.options import endpoint_option, examples, field_options, grouped_command
from skipscan.cli.output import print_json
from skipscan.cli.say import waiting
from skipscan.cli.work_options import ending_options, env_options, is_folder, work_argument
from skipscan.errors import InputError, NotFoundError, leave_out
from skipscan.inputs.field import without_nulls
from skipscan.inputs.names import quoted
from skipscan.inputs.quantities import units
from skipscan.listing.fields import FIELDS as RUN_FIELDS

if TYPE_CHECKING:
    from skipscan.environment.status import Status


FREE = {
    field.name: field
    for fields in (RUN_FIELDS, *(import_module(f"skipscan.{job}.input").FIELDS for job in JOBS))
    for field in fields
    if not field.is_fixed and field.need is None and field.name != "overlap"
}
"""The fields that may change when work of any kind is resumed."""


@grouped_command(
    epilog=examples(
        "skipscan resume Orders --env dev --max-read-units 5000 --follow",
        "skipscan resume Orders thrifty --env dev --max-read-units 5000",
        "skipscan resume Orders markers --env dev --max-write-units-per-second 500 --follow",
        "skipscan resume Audit audited --env dev --max-write-units 5000",
        "skipscan resume ./orders --max-read-units 5000",
    ),
)
@work_argument
@field_options(FREE.values())
@ending_options
@env_options
@endpoint_option
def resume_command(
    *,
    at: At,
    table_name: str,
    name: str | None,
    label: str | None,
    follow: bool,
    output: Path | None,
    as_json: bool,
    **bounds: Any,
) -> None:
    """Resume a run or job over TABLE from its checkpoints (default: the newest one, if it is unfinished).

    Instead of TABLE, name the path of a folder that `skipscan keys --folder` wrote, to continue the listing in it.

    Rates and budgets stay as they were, unless others are given here. A budget covers the whole run or job, including
    what it has consumed already.
    """
    from skipscan.cli.follow import start_and_follow
    from skipscan.cli.into_folder import client_and_prices, listed_into, summary_of
    from skipscan.library.folder_run import unfinished_in
    from skipscan.library.options import new_name

    changes = without_nulls(bounds)
    if name is None and is_folder(table_name, at):
        if output is not None:
            way = f"leave --output out, and use skipscan download {table_name}"
            raise InputError("a folder", rule="holds its keys", remedy=way)
        _check_writes_nothing(f"the run in {table_name}", changes)
        listing_input = unfinished_in(Path(table_name), changes)
        manifest = listed_into(Path(table_name), listing_input, *client_and_prices(at))
        if as_json:
            print_json(summary_of(manifest))
        return
    if at.endpoint_url is not None:
        way = "leave --endpoint-url out"
        raise InputError("a run of an environment", rule="has the endpoint of AWS", remedy=way)
    deployed = at.deployed(table_name)
    with waiting("reading the status"):
        watch = (deployed.unfinished(label) if name is None else None) or deployed.watch(name, label)
        status, kind = watch.look(), watch.work.kind
    if status.moment is None or not status.can_be_resumed:
        state = "a dry run" if status.is_dry_run and not status.profile else str(status.state)
        raise NotFoundError(
            kind.label,
            status.name,
            f"it is {state}; only unfinished work can be resumed",
            f"`skipscan runs {deployed.table} --env {at.env}` lists the others",
        )
    if output is not None and kind.label != "run":
        raise InputError(kind.label, status.name, "only a run has keys", "leave --output out")
    plan = status.moment.plan
    over = {field: plan.stated[field] for field in kind.named if field in plan.stated}
    if kind.lists_keys:
        _check_writes_nothing(f"{quoted(status.name)} is a run, which", changes)
    requested = {**_bounds(status), **changes}
    if (spent := status.used_up) and not any(name in changes for name in spent):
        others = {name: requested[name] for name in spent[1:]}
        raise InputError(
            spent[0], requested[spent[0]], "the last execution used it up", "give a larger one", others=others
        )
    document = {**over, "resume": status.name, **requested}
    kind.parse(document)
    _check_budgets(status, requested)
    if any(field in changes and bound is None for field, bound in plan.bounds.items()):
        click.echo(
            "The functions of the earlier execution had no such budget. If it was stopped just now, they work for up "
            "to 15 minutes more, and what they consume comes on top.",
            err=True,
        )
    execution = f"{status.name[:50]}-resumed-{new_name()}"
    start_and_follow(deployed, kind.label, execution, document, follow=follow, output=output, as_json=as_json)


def _bounds(status: "Status") -> dict[str, Any]:
    """Return the rates and budgets that the last execution was given, which hold where none are given now.

    Not those of the plan, whose rate may be a part of the capacity that the table had then. Step Functions forgets an
    execution after 90 days; the plan's budgets are left.
    """
    if status.execution is None:
        return without_nulls(status.moment.plan.bounds if status.moment else {})
    return without_nulls({name: bound for name, bound in status.execution.document.items() if name.startswith("max_")})


def _check_writes_nothing(work: str, changes: Mapping[str, Any]) -> None:
    """Refuse an option of writing jobs."""
    readable = {field.name for field in RUN_FIELDS}
    if needless := [name for name in changes if name not in readable]:
        raise InputError(needless[0], changes[needless[0]], f"{work} does not write", leave_out(needless[0]))


def _check_budgets(status: "Status", changes: Mapping[str, Any]) -> None:
    """Refuse a budget that the committed batches have used up: a worker with open segments would end at once."""
    for unit in ("read_units", "write_units"):
        budget, consumed = changes.get(f"max_{unit}"), getattr(status.counts, unit)
        if budget is not None and budget <= consumed and status.moment and status.moment.left:
            label = status.kind.label
            raise InputError(
                f"max_{unit}",
                budget,
                f"{label} {quoted(status.name)} has consumed {units(consumed)} {unit.replace('_', ' ')}, and a budget "
                f"covers the whole {label}",
                "give a larger one",
            )
