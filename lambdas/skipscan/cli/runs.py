"""`skipscan list TABLE`: the runs there are."""

import json

import click
from rich.table import Table

from skipscan.cli.board import show
from skipscan.cli.deployed import Deployed, deployed_options, json_option
from skipscan.cli.examples import examples
from skipscan.loop.status import Standing


@click.command(
    "list",
    short_help="The runs over a table.",
    epilog=examples(
        "skipscan list Orders --env dev",
        "skipscan list Orders --env dev --limit 100 --json",
    ),
)
@click.argument("table_name", metavar="TABLE")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="The most runs to show.")
@json_option
@deployed_options
def list_runs(*, table_name: str, limit: int, as_json: bool, env: str, region: str | None, profile: str | None) -> None:
    """List the runs over TABLE, the newest first.

    A run is running, finished, unfinished (it can be resumed), or planned (a dry run, or stopped before a batch).
    """
    deployed = Deployed.of(env, table_name, region, profile)
    running = deployed.running()
    standings = deployed.archive.standings(deployed.archive.entries()[:limit], running)
    if as_json:
        click.echo(json.dumps([_entry(standing) for standing in standings], indent=2))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading, justify in (("run", "left"), ("state", "left"), ("started (UTC)", "left")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for heading in ("keys", "read units", "seconds"):
        table.add_column(heading, justify="right")
    for standing in standings:
        figures = _entry(standing)
        table.add_row(
            standing.name,
            standing.state,
            str(figures["started"])[:19].replace("T", " "),
            *("" if figures[name] is None else f"{figures[name]:,}" for name in ("keys", "read_units", "seconds")),
        )
    if standings:
        show(table)
    else:
        click.echo(f"skipscan: table {deployed.table} has no run in {env}", err=True)


def _entry(standing: Standing) -> dict[str, object]:
    """Return a run in few words. Figures are known of finished runs alone; `status` has those of the others."""
    manifest = standing.manifest or {}
    return {
        "run": standing.name,
        "state": standing.state,
        "started": standing.run.started if standing.run else "",
        **{name: manifest.get(name) for name in ("index", "keys", "read_units", "requests", "seconds")},
        "manifest": standing.manifest_uri if standing.manifest else None,
    }
