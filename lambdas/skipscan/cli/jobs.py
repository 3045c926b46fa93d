"""`skipscan jobs TABLE`: the writing jobs there are."""

import json
from datetime import UTC

import click
from rich.table import Table

from skipscan.cli.board import show
from skipscan.cli.deployed import Deployed, deployed_options, json_option
from skipscan.cli.examples import examples
from skipscan.cli.outcome import TOLD
from skipscan.loop.status import Execution


@click.command(
    short_help="The writing jobs over a table.",
    epilog=examples(
        "skipscan jobs Orders --env dev",
        "skipscan jobs Orders --env dev --json | jq '.[0].output'",
    ),
)
@click.argument("table_name", metavar="TABLE")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="The most of each to show.")
@json_option
@deployed_options
def jobs(*, table_name: str, limit: int, as_json: bool, env: str, region: str | None, profile: str | None) -> None:
    """List the jobs over TABLE that act, retrofit and copy have started, the newest first.

    Step Functions keeps them for 90 days. What a job has done is in its output; of one that goes on it is not known.
    """
    deployed = Deployed.of(env, table_name, region, profile)
    kinds = deployed.jobs.items()
    found = [(does, one) for does, machine in kinds for one in machine.newest(deployed.table, limit)]
    found.sort(key=lambda job: job[1].started, reverse=True)
    if as_json:
        click.echo(json.dumps([_entry(does, execution) for does, execution in found], indent=2))
        return
    if not found:
        click.echo(f"skipscan: table {deployed.table} has no job in {env}", err=True)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("job", "does", "started (UTC)", "state", ""):
        table.add_column(heading)
    for does, execution in found:
        dry = ", dry run" if execution.document.get("dry_run", "resume" not in execution.document) else ""
        state = execution.status.lower().replace("_", " ") + dry
        table.add_row(
            execution.name, does, f"{execution.started.astimezone(UTC):%Y-%m-%d %H:%M:%S}", state, _said(execution)
        )
    show(table)


def _said(execution: Execution) -> str:
    """Return the error, or the counts that an output begins with, in few words."""
    if execution.error:
        return execution.error
    figures = [
        f"{value:,} {name.replace('_', ' ')}"
        for name, value in (execution.output or {}).items()
        if isinstance(value, int | float) and value and name != "seconds"
    ]
    return "" if execution.document.get("dry_run", True) else ", ".join(figures[:4])


def _entry(does: str, execution: Execution) -> dict[str, object]:
    return {
        "job": execution.name,
        "does": does,
        "started": execution.started.astimezone(UTC).isoformat(timespec="seconds"),
        "status": execution.status,
        "input": execution.document,
        "output": execution.output,
        "error": execution.error,
        "cause": execution.cause if execution.error in TOLD else None,
    }
