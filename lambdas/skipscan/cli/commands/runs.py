"""`skipscan runs [TABLE]`: the runs and jobs over a table, or over all."""

from typing import TYPE_CHECKING

import click

from skipscan.cli.at import At
from skipscan.cli.options import completed, examples, grouped_command, option
from skipscan.cli.output import print_json
from skipscan.cli.say import say, waiting
from skipscan.cli.work_options import deployed_options, json_option, kind_option
from skipscan.inputs.fields import OptionGroup
from skipscan.inputs.quantities import in_utc

if TYPE_CHECKING:
    from skipscan.environment.status import Status
    from skipscan.library.deployed import Deployed


ANY = "any"
"""In place of a table's name where only the environment counts."""


LOOKS = 8
"""Number of runs and jobs read at the same time; each takes several requests to S3."""


@grouped_command(
    epilog=examples(
        "skipscan runs --env dev",
        "skipscan runs Orders --env dev",
        "skipscan runs Orders --kind run --env dev --limit 100 --json",
    ),
)
@click.argument("table_name", metavar="[TABLE]", required=False, shell_complete=completed("table"))
@kind_option
@option(
    OptionGroup.READ,
    "--limit",
    type=click.IntRange(min=1),
    metavar="INTEGER",
    default=20,
    show_default=True,
    help="Maximum number of each kind to show.",
)
@json_option
@deployed_options
def runs_command(
    *,
    at: At,
    table_name: str | None,
    label: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List the runs and jobs over TABLE, or over all tables, the newest first.

    States: starting (no plan yet), running, finished, unfinished (can be resumed), planned (a dry run, or stopped
    before its first batch), profiled (a profile of the table), skipped (an earlier run with the same input was still
    running), refused (it ended before its plan). Refused ones, and without TABLE all, are those of the last 90 days.
    """
    from concurrent.futures import ThreadPoolExecutor

    from skipscan.cli.board import show
    from skipscan.cli.runs_table import Listed, started_at
    from skipscan.environment.status import Status
    from skipscan.stored.stored_work import LONG_AGO

    deployed = at.deployed(table_name or ANY)
    newest = _newest if table_name else _newest_of_all
    found: list[Status] = []
    with waiting("reading runs and jobs"), ThreadPoolExecutor(LOOKS) as pool:
        for kind in deployed.machines:
            if label in {None, kind}:
                found += newest(deployed, kind, limit)
        found = list(pool.map(lambda status: deployed.over(status.table).seen(status), found))
    found.sort(key=lambda status: started_at(status) or LONG_AGO, reverse=True)
    if as_json:
        print_json([_entry(status) for status in found])
        return
    if not found:
        whose = f"table {deployed.table}" if table_name else "no table"
        way = deployed.meant(f"start one with `{deployed.starting(label or 'run')}`")
        say(f"{whose} has {'no' if table_name else 'a'} {label or 'run or job'} in {at.env}; {way}")
        return
    with ThreadPoolExecutor(LOOKS) as pool:
        reasons = pool.map(lambda status: _reason(deployed, status), found)
    show(Listed(found, dict(zip(map(id, found), reasons, strict=True)), has_table=table_name is None))


def _reason(deployed: "Deployed", status: "Status") -> str:
    """Return why work failed; empty for other work."""
    from skipscan.cli.follow import why

    executions = deployed.machine(status.kind.label)
    return why(status.execution, executions, status.failures) if status.has_failed else ""


def _newest(deployed: "Deployed", label: str, limit: int) -> list["Status"]:
    """Return the newest work of a kind. What has no plan, only Step Functions shows: it starts, or was refused."""
    from skipscan.cli.runs_table import started_at
    from skipscan.stored.stored_work import LONG_AGO

    archive, running = deployed.archive(label), deployed.running(label)
    stored = archive.all()
    known_names = {work.name for work in stored}
    planless = [execution for name, execution in running.items() if name not in known_names]
    planless += deployed.machine(label).ended_early(deployed.arn, known_names)
    found = [*archive.statuses(stored[:limit], running), *(deployed.status(label, one) for one in planless)]
    return sorted(found, key=lambda status: started_at(status) or LONG_AGO, reverse=True)[:limit]


def _newest_of_all(deployed: "Deployed", label: str, limit: int) -> list["Status"]:
    """Return the newest work of a kind over any table, from its executions of the last 90 days."""
    from concurrent.futures import ThreadPoolExecutor

    from skipscan.environment.execution import Execution
    from skipscan.environment.executions import table_of
    from skipscan.environment.status import Status

    found: dict[tuple[str, str], Execution] = {}
    for execution in deployed.machine(label).latest(limit):
        found.setdefault((table_of(execution), execution.work), execution)

    def status(execution: Execution) -> Status:
        return deployed.over(table_of(execution)).status(label, execution)

    with ThreadPoolExecutor(LOOKS) as pool:
        return list(pool.map(status, found.values()))


def _entry(status: "Status") -> dict[str, object]:
    """Return the figures of `skipscan status`, without single workers."""
    from skipscan.cli.runs_table import started_at
    from skipscan.loop.work import form_of

    manifest, execution = status.manifest or {}, status.execution
    shown = {name: value for name, value in status.to_json().items() if name != "workers"}
    if status.kind.lists_keys:
        shown["index"] = manifest.get("index", status.moment.plan.source.index if status.moment else None)
    return {
        **shown,
        "started": in_utc(started) if (started := started_at(status)) else None,
        **({} if status.unreadable is None else {"form": form_of(status.unreadable)}),
        "seconds": manifest.get("seconds"),
        "error": execution.error if execution else None,
    }
