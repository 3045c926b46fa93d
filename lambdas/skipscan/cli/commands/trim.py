"""`skipscan trim TABLE --keep-last N`: list the items beyond the newest N of each collection, and delete them."""

import json
from typing import Any

import click

from skipscan.act.actions.delete_listed import MOST_DELETED, WHOLE_ITEMS
from skipscan.act.input import FIELDS as ACT_FIELDS
from skipscan.act.input import parse_action
from skipscan.cli.advice import option_name
from skipscan.cli.at import At
from skipscan.cli.options import examples, field_options, grouped_command, option, table_argument
from skipscan.cli.say import say
from skipscan.cli.work_options import job_options
from skipscan.errors import InputError
from skipscan.inputs.field import without_nulls
from skipscan.inputs.fields import OptionGroup, fields_named
from skipscan.inputs.names import is_run_name
from skipscan.inputs.quantities import counted
from skipscan.listing.execution_input import parse
from skipscan.listing.fields import FIELDS as RUN_FIELDS
from skipscan.listing.fields import LEVEL, RANGE
from skipscan.scan.take import BEYOND, DESCENDING, MOST_COUNTED, ORDER

LISTED = fields_named(
    RUN_FIELDS, "only", *LEVEL, "depth", *RANGE, "consistent_read", "max_read_units_per_second", "max_read_units"
)
DELETES = fields_named(
    ACT_FIELDS,
    *("max_write_units_per_second", "max_write_units", "show_items", "without_recovery", "no_writes_elsewhere"),
)
PREVIEW = "-preview"


@grouped_command(
    epilog=examples(
        "skipscan trim Checkpoints --env dev --keep-last 5",
        "skipscan trim Checkpoints --env dev --keep-last 5 --max-deletes 100000 --for-real --follow",
    ),
)
@table_argument
@option(
    OptionGroup.READ,
    "--keep-last",
    type=click.IntRange(1, MOST_COUNTED),
    required=True,
    help="Keep so many items of each item collection, or group, those with the greatest sort keys.",
)
@field_options(LISTED)
@option(
    OptionGroup.WRITE,
    "--max-deletes",
    type=click.IntRange(1, MOST_DELETED),
    help="Refuse to delete more items than this.",
)
@field_options(DELETES)
@job_options
def trim_command(
    *,
    at: At,
    table_name: str,
    keep_last: int,
    max_deletes: int | None,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    **fields: Any,
) -> None:
    """Delete all but the newest items of each item collection or group of TABLE, each only if it is unchanged.

    Lists the others in a run, follows it, and deletes what it listed in an act. Without --for-real, the command lists
    them, prints a preview and deletes nothing. It names the command that deletes exactly what was listed, also where
    something stops it afterwards. `skipscan act TABLE RUN --undo ACT` puts the items back. The environment must enable
    acts on the table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.
    """
    from skipscan.cli.follow import check_ended, follow_work
    from skipscan.cli.job import start_job
    from skipscan.library.options import name_of_work
    from skipscan.report.record import read_work
    from skipscan.stored.figures import line

    chosen = without_nulls(fields)
    of_run, of_act = ({row.name: chosen[row.name] for row in rows if row.name in chosen} for rows in (LISTED, DELETES))
    taken = {"items": "all", BEYOND: keep_last, ORDER: DESCENDING}
    listing = {"table": table_name, **of_run, **WHOLE_ITEMS, "take": taken}
    parse(listing)
    if follow and not for_real:
        raise InputError("a preview", rule="has nothing to follow", remedy="leave out --follow, or add --for-real")
    name = name_of_work(name)
    act, deletes = f"trim-{name}", {"max_deletes": max_deletes} if max_deletes else {}
    if not is_run_name(f"{act}{PREVIEW}"):
        raise InputError("name", name, f"the acts are named {act} and {act}{PREVIEW}", "use at most 67 characters")
    document = {"table": table_name, "run": name, "delete_listed": deletes, **of_act}
    parse_action(document)
    deployed = at.deployed(table_name)
    deployed.machine("act")  # before anything is read
    watch = deployed.started("run", deployed.start("run", name, listing))
    status = follow_work(watch, watch.look(), as_json=False, env=deployed.env)
    check_ended(status, deployed)
    options = {option_name(field): value for field, value in of_act.items()}
    options |= {"--region": at.region, "--profile": at.profile}
    shown = "".join(f" {name}" if value is True else f" {name} {value}" for name, value in options.items() if value)
    found = vars(status.counts)["keys"]
    over = max_deletes is not None and found > max_deletes
    allowed = json.dumps({"max_deletes": found} if over else deletes)
    again = f"skipscan act {table_name} {name} --env {deployed.env} --delete-listed '{allowed}'{shown}"
    if over:
        rule = f"run {name} listed {found:,} items, and none is deleted"
        way = f"look at them, then {again} --for-real"
        raise InputError("--max-deletes", max_deletes, rule, way)
    of_each = "group" if set(LEVEL) & of_run.keys() else "collection"
    listed = line(status.figures(), "count")[0]
    say(f"run {name} listed {listed} beyond the newest {keep_last:,} of each {of_each}")
    sizes = read_work(deployed.archive("run").work(name)).digest.lengths
    if sizes is not None:
        bars = [(label, round(share * sizes.whole)) for label, share in sizes.shares.items() if share]
        say(f"items to delete by {of_each}: {', '.join(f'{label} in {counted(n, of_each)}' for label, n in bars)}")
    if for_real:  # Plan may refuse the act, which then has used its name
        say(f"to delete these later: {again} --for-real --follow")
    begin = f"delete exactly these: {again} --name {act} --for-real --follow"
    act = act if for_real else f"{act}{PREVIEW}"
    start_job(deployed, "act", document, for_real=for_real, name=act, follow=follow, as_json=as_json, begin=begin)
