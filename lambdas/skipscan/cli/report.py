"""`skipscan report TABLE [NAME]`: the HTML report of a run or job."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import click

from skipscan.aws import clients
from skipscan.aws.kinds import KINDS
from skipscan.aws.run_folder import BucketFolder
from skipscan.cli.deployed import Deployed, json_option, kind_option
from skipscan.cli.local_run import env_options, environment, is_folder
from skipscan.cli.options import completed, examples
from skipscan.cli.output import FILE, in_a_folder, replacing
from skipscan.cli.waiting import waiting
from skipscan.errors import InputError
from skipscan.loop.kind import Kind
from skipscan.report.figures import figures, job_figures
from skipscan.report.folder import Folder, LocalFolder
from skipscan.report.job import drawn as job_drawn
from skipscan.report.listing import listing
from skipscan.report.page import page
from skipscan.report.record import Record, kind_of, read_job
from skipscan.report.report import Report

S3_URI = re.compile(r"s3://([a-z0-9.-]{3,63})/(.+)")
PAGE = Path("report.html")


@click.command(
    epilog=examples(
        "skipscan report Orders --env dev --open",
        "skipscan report Orders monday --env dev --output nightly.html",
        "skipscan report Orders --kind act --env dev",
        "skipscan report Orders --env dev --json | jq .ways",
        "skipscan report --results s3://BUCKET/skipscan/Orders/runs/monday/",
        "skipscan report --results ./monday",
        "skipscan report ./orders",
    ),
)
@click.argument("table_name", metavar="TABLE", required=False, shell_complete=completed("complete_table"))
@click.argument("name", required=False, shell_complete=completed("complete_work"))
@kind_option
@click.option(
    "--results",
    help="Instead of TABLE, the folder of a run or job: s3://BUCKET/PREFIX/TABLE/runs/RUN/, or a copy of it.",
)
@click.option(
    "--output",
    "-o",
    type=FILE,
    callback=in_a_folder,
    help=f"Write the page to this file (default: {PAGE}, or no page with --json).",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@json_option
@env_options
def report(
    *,
    table_name: str | None,
    name: str | None,
    noun: str | None,
    results: str | None,
    output: Path | None,
    opens: bool,
    as_json: bool,
    env: str | None,
    region: str | None,
    profile: str | None,
) -> None:
    """Write an HTML page about a run or job over TABLE (default: the newest run that has read anything).

    The page shows what was done, the bill, the time, and pictures of the progress; of a run also what other ways would
    take. It has no key values. Works while the run or job is running, too. Instead of TABLE, name the path of a folder
    that `skipscan keys --output` wrote. --json prints the figures to stdout instead.
    """
    if (table_name is None) == (results is None):
        raise click.UsageError("give either TABLE or, with --results, the folder of a run or job")
    written = output or (None if as_json and not opens else PAGE)
    if table_name is not None and name is None and is_folder(table_name, env):
        results = table_name
    with waiting("reading plan, manifest and checkpoints"):
        if results:
            folder = _folder(results, region, profile)
            kind = kind_of(folder, KINDS.values())
        else:
            deployed = Deployed.of(environment(env), table_name or "", region, profile)
            kind, found = deployed.begun(name, noun)
            folder = BucketFolder(deployed.storage.client, deployed.storage.name, found.layout.root)
        said, drawn = _read(kind, folder)
    if as_json:
        click.echo(json.dumps(said, indent=2))
    if written:
        with replacing(written) as file:
            file.write(page(drawn, datetime.now(UTC)).encode())
        if not as_json:
            click.echo(written)
        if opens:
            click.launch(written.resolve().as_uri())


def _read(kind: Kind[Any, Any], folder: Folder) -> tuple[dict[str, Any], Report]:
    """Return the figures as JSON, and the report."""
    if kind.noun == "run":
        record = Record.read(folder)
        return figures(record), listing(record)
    job = read_job(kind, folder)
    return job_figures(job), job_drawn(job)


def _folder(results: str, region: str | None, profile: str | None) -> Folder:
    if match := S3_URI.fullmatch(results):
        return BucketFolder(clients.s3(boto3.Session(region_name=region, profile_name=profile)), match[1], match[2])
    if results.startswith("s3:"):
        raise InputError(f"--results is {results!r}; it must be s3://BUCKET/PREFIX/TABLE/runs/RUN/: correct it")
    return LocalFolder(Path(results))
