"""`skipscan report`: a run as one page of HTML."""

import re
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import boto3
import click

from skipscan.aws import clients
from skipscan.errors import InputError
from skipscan.report.folder import BucketFolder, Folder, LocalFolder
from skipscan.report.record import Record

S3_URI = re.compile(r"s3://([a-z0-9.-]{3,63})/(.+)")


@click.command(
    epilog="Examples:\n\n  skipscan report --results s3://skipscan-dev-results/skipscan/Orders/nightly-2026-01-31/\n\n"
    "  skipscan report --results ./nightly-2026-01-31 --output nightly.html"
)
@click.option(
    "--results", required=True, help="The run's own folder: s3://BUCKET/PREFIX/TABLE/RUN/, or a copy of it on disk."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    default="report.html",
    show_default=True,
    help="Where the page goes.",
)
@click.option("--region", envvar="AWS_REGION", help="AWS region of the bucket; else as your AWS configuration says.")
@click.option("--profile", help="AWS profile; else as your AWS configuration says.")
def report(*, results: str, output: Path, region: str | None, profile: str | None) -> None:
    """Write a page about a run: its keys, cost and time, and pictures of how it went. It holds no key values.

    Needs s3:GetObject and s3:ListBucket on the run's folder, and the extra packages of skipscan[report].
    """
    if find_spec("matplotlib") is None or find_spec("jinja2") is None:
        raise click.ClickException("the report needs two more packages: pip install 'skipscan[report]'")
    from skipscan.report.page import page  # noqa: PLC0415 - other commands do without what it imports

    record = Record.read(_folder(results, region, profile))
    output.write_text(page(record, datetime.now(UTC)), encoding="utf-8")
    click.echo(output)


def _folder(results: str, region: str | None, profile: str | None) -> Folder:
    if match := S3_URI.fullmatch(results):
        return BucketFolder(clients.s3(boto3.Session(region_name=region, profile_name=profile)), match[1], match[2])
    if results.startswith("s3:"):
        raise InputError(f"--results is {results!r}; it must be s3://BUCKET/PREFIX/TABLE/RUN/: correct it")
    return LocalFolder(Path(results))
