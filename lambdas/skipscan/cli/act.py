"""`skipscan act TABLE [RUN]`: put, delete, call or send for every key of a run."""

from typing import Any

import click

from skipscan.act.input import parse
from skipscan.act.registry import ACTIONS
from skipscan.cli.deployed import Deployed, run_argument
from skipscan.cli.job import carry_out, document_of, job_options
from skipscan.cli.options import examples, flag, option_name, options


@click.command(
    epilog=examples(
        """skipscan act Orders --env dev --put-item '{"item": {"order": "#static", "GSI-pk": "{customer}"}}'""",
        "skipscan act Orders monday --env dev --put-item @marker.json --for-real --follow",
        "skipscan act Orders monday --env dev --undo markers --for-real",
    ),
)
@run_argument
@options(
    *(click.option(option_name(name), metavar=action.metavar, help=action.summary) for name, action in ACTIONS.items())
)
@flag("--skip-ended", help="Skip item collections that have no item any more (takes a read for each key).")
@flag("--show-items", help="Show the first items in the preview, with their values and keys.")
@click.option("--max-keys-per-second", type=float, help="Maximum rate of --invoke and --send.")
@job_options
def act(
    *,
    table_name: str,
    run: str | None,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **asked: Any,
) -> None:
    """Put, delete, call or send for each key of a finished RUN over TABLE (default: the newest finished run).

    Without --for-real, the command prints a preview and writes nothing. JSON is a document in quotes, or @FILE.
    The environment must enable acts on the table. `skipscan policy run` and `skipscan policy jobs` print the
    permissions you need.
    """
    for option, action in ACTIONS.items():
        if asked[option] is not None and action.metavar == "JSON":
            asked[option] = document_of(option, asked[option])
    deployed = Deployed.of(env, table_name, region, profile)
    document = {"table": table_name, "run": run or "any", **asked}
    if run is None:
        parse({field: value for field, value in document.items() if value is not None})
        deployed.machine("act")
        document["run"] = deployed.finished(None).name
    carry_out(deployed, "act", document, parse=parse, for_real=for_real, name=name, follow=follow, as_json=as_json)
