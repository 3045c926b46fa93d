"""`skipscan report TABLE [RUN]`: a run as one page of HTML."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import boto3
import click

from skipscan.aws import clients
from skipscan.aws.run_folder import BucketFolder
from skipscan.cli.deployed import Deployed, json_option
from skipscan.cli.local_run import env_options, environment, is_folder
from skipscan.cli.options import examples
from skipscan.cli.output import FILE, in_a_folder, replacing
from skipscan.cli.waiting import waiting
from skipscan.errors import InputError
from skipscan.report.figures import figures
from skipscan.report.listing import listing
from skipscan.report.page import page
from skipscan.report.record import Folder, LocalFolder, Record

S3_URI = re.compile(r"s3://([a-z0-9.-]{3,63})/(.+)")
PAGE = Path("report.html")


@click.command(
    epilog=examples(
        "skipscan report Orders --env dev --open",
        "skipscan report Orders monday --env dev --output nightly.html",
        "skipscan report Orders --env dev --json | jq .ways",
        "skipscan report --results s3://BUCKET/skipscan/Orders/runs/monday/",
        "skipscan report --results ./monday",
        "skipscan report ./orders",
    ),
)
@click.argument("table_name", metavar="TABLE", required=False)
@click.argument("run", required=False)
@click.option("--results", help="Instead of TABLE, the folder of a run: s3://BUCKET/PREFIX/TABLE/runs/RUN/, or a copy.")
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
    run: str | None,
    results: str | None,
    output: Path | None,
    opens: bool,
    as_json: bool,
    env: str | None,
    region: str | None,
    profile: str | None,
) -> None:
    """Write an HTML page about a RUN of TABLE (default: the newest run that has read anything).

    The page shows the run's keys, bill and time beside those of other ways, and pictures of its progress. It has no
    key values. Works for a running run too. Instead of TABLE, name the path of a folder that `skipscan keys --output`
    has written. --json prints the figures to stdout instead.
    """
    if (table_name is None) == (results is None):
        raise click.UsageError("name either a TABLE or, with --results, the folder of a run or job")
    written = output or (None if as_json and not opens else PAGE)
    if table_name is not None and run is None and is_folder(table_name, env):
        results = table_name
    folder = _folder(results, region, profile) if results else _of(table_name or "", run, env, region, profile)
    with waiting("reading the run's plan, manifest and checkpoints"):
        record = Record.read(folder)
    if as_json:
        click.echo(json.dumps(figures(record), indent=2))
    if written:
        with replacing(written) as file:
            file.write(page(listing(record), datetime.now(UTC)).encode())
        if not as_json:
            click.echo(written)
        if opens:
            click.launch(written.resolve().as_uri())


def _of(table: str, run: str | None, env: str | None, region: str | None, profile: str | None) -> Folder:
    deployed = Deployed.of(environment(env), table, region, profile)
    return BucketFolder(
        deployed.storage.client, deployed.storage.name, deployed.archive().results(deployed.begun(run)).layout.root
    )


def _folder(results: str, region: str | None, profile: str | None) -> Folder:
    if match := S3_URI.fullmatch(results):
        return BucketFolder(clients.s3(boto3.Session(region_name=region, profile_name=profile)), match[1], match[2])
    if results.startswith("s3:"):
        raise InputError(f"--results is {results!r}; it must be s3://BUCKET/PREFIX/TABLE/runs/RUN/: correct it")
    return LocalFolder(Path(results))
