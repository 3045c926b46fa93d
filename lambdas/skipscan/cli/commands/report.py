"""`skipscan report TABLE [NAME]`: the HTML report of a run or job."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from skipscan.cli.at import At
from skipscan.cli.options import completed, examples, grouped_command, option
from skipscan.cli.output import check_not_of, page_file, print_json, put_page
from skipscan.cli.say import waiting
from skipscan.cli.work_options import env_options, is_folder, kind_option, page_options
from skipscan.errors import InputError, intact
from skipscan.inputs.fields import OptionGroup

if TYPE_CHECKING:
    from skipscan.loop.storage import Storage
    from skipscan.stored.stored_work import StoredWork

PAGE = Path("report.html")
S3_URI = re.compile(r"s3://([a-z0-9.-]{3,63})/(.+)")


@grouped_command(
    epilog=examples(
        "skipscan report Orders --env dev --open",
        "skipscan report Orders monday --env dev --output nightly.html",
        "skipscan report Orders --kind act --env dev",
        "skipscan report Orders --env dev --json | jq .ways",
        "skipscan report --folder s3://BUCKET/skipscan/Orders/runs/monday/",
        "skipscan report --folder ./monday",
        "skipscan report ./orders",
    ),
)
@click.argument("table_name", metavar="TABLE", required=False, shell_complete=completed("table"))
@click.argument("name", required=False, shell_complete=completed("work"))
@kind_option
@option(
    OptionGroup.PLACE,
    "--folder",
    shell_complete=lambda _context, _option, incomplete: [CompletionItem(incomplete, type="dir")],
    help="Instead of TABLE, the folder of a run or job: s3://BUCKET/PREFIX/TABLE/runs/RUN/, or a copy of it.",
)
@page_options(PAGE)
@env_options
def report_command(
    *,
    at: At,
    table_name: str | None,
    name: str | None,
    label: str | None,
    folder: str | None,
    output: Path | None,
    opens: bool,
    as_json: bool,
) -> None:
    """Write an HTML page about a run or job over TABLE (default: the newest run that has read anything).

    The page shows what was done, the bill, the time, and pictures of the progress; of a run also what other ways would
    take. It has no key values. Works while the run or job is running, too. Instead of TABLE, name the path of a folder
    that `skipscan keys --folder` wrote. --json prints the figures to stdout instead.
    """
    from skipscan.environment import KINDS
    from skipscan.stored.folder import strange, work_in

    if (table_name is None) == (folder is None):
        raise InputError(
            "TABLE and --folder",
            rule=f"are both {'missing' if folder is None else 'given'}",
            remedy="give either TABLE or, with --folder, the folder of a run or job",
        )
    written = page_file(PAGE, output, opens=opens, as_json=as_json)
    if table_name is not None and name is None and is_folder(table_name, at):
        folder = table_name
    if folder and not folder.startswith("s3:"):
        check_not_of(Path(folder), written)
    with waiting("reading plan, manifest and checkpoints"):
        if folder:
            work = work_in(*_place(folder, at), tuple(KINDS.values()))
        else:
            work = at.deployed(table_name or "").with_results(name, label)
        with intact(strange()):
            said, drawing = _read(work, has_others=not folder)
    if as_json:
        print_json(said)
    if written:
        put_page(written, drawing.encode(), opens=opens, as_json=as_json)


def _read(work: "StoredWork", *, has_others: bool) -> tuple[dict[str, Any], str]:
    """Return the figures as JSON, and the page. `has_others`: whether earlier runs are in the same place."""
    from skipscan.report.listing import listing
    from skipscan.report.record import read_work
    from skipscan.report.spread import earlier_runs
    from skipscan.report.ways import job_figures, report_figures
    from skipscan.report.work import drawn

    record = read_work(work)
    if work.kind.lists_keys:
        return report_figures(record), listing(record, earlier=earlier_runs(work, record) if has_others else ())
    return job_figures(record), drawn(record)


def _place(folder: str, at: At) -> "tuple[Storage, str]":
    """Return the storage of a folder, and what the names in it begin with."""
    from skipscan.aws import clients
    from skipscan.aws.bucket import Bucket
    from skipscan.folder import storage

    if match := S3_URI.fullmatch(folder):
        return Bucket(clients.s3(at.session()), match[1]), match[2].rstrip("/") + "/"
    if folder.startswith("s3:"):
        raise InputError("--folder", folder, "it must be s3://BUCKET/PREFIX/TABLE/runs/RUN/", "correct it")
    return storage.Folder(Path(folder)), ""
