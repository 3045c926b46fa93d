"""`skipscan report TABLE [NAME]`: the HTML report of a run or job."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import click

from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.cli.commands.results import PAGE
from skipscan.cli.output import check_not_of, check_writable, open_page, print_json, replacing
from skipscan.cli.say import waiting
from skipscan.cli.work_options import environment, is_folder
from skipscan.environment import KINDS
from skipscan.errors import InputError, intact
from skipscan.folder import storage
from skipscan.library.deployed import Deployed
from skipscan.loop.kind import Kind
from skipscan.loop.results import Results
from skipscan.report.committed import StoredWork
from skipscan.report.listing import listing
from skipscan.report.page import html_page
from skipscan.report.record import kind_of, read_work, strange
from skipscan.report.report import Report
from skipscan.report.spread import earlier_runs
from skipscan.report.ways import figures, job_figures
from skipscan.report.work import drawn

S3_URI = re.compile(r"s3://([a-z0-9.-]{3,63})/(.+)")


def report(
    *,
    table_name: str | None,
    name: str | None,
    noun: str | None,
    folder: str | None,
    output: Path | None,
    opens: bool,
    as_json: bool,
    env: str | None,
    region: str | None,
    aws_profile: str | None,
) -> None:
    """Carry out `skipscan report`."""
    if (table_name is None) == (folder is None):
        raise InputError(
            "TABLE and --folder",
            rule=f"are both {'missing' if folder is None else 'given'}",
            remedy="give either TABLE or, with --folder, the folder of a run or job",
        )
    written = output or (None if as_json and not opens else PAGE)
    if written:
        check_writable(written)
    if table_name is not None and name is None and is_folder(table_name, env):
        folder = table_name
    if folder and not folder.startswith("s3:"):
        check_not_of(Path(folder), written)
    with waiting("reading plan, manifest and checkpoints"):
        found: Results | None = None
        if folder:
            stored = _folder(folder, region, aws_profile)
            kind = kind_of(stored, KINDS.values())
        else:
            deployed = Deployed.of(environment(env), table_name or "", region, aws_profile)
            kind, found = deployed.begun(name, noun)
            stored = StoredWork(deployed.storage, found.layout.root)
        with intact(strange()):
            said, read = _read(kind, stored, found)
            drawing = html_page(read, datetime.now(UTC)).encode() if written else b""
    if as_json:
        print_json(said)
    if written:
        with replacing(written) as file:
            file.write(drawing)
        if not as_json:
            click.echo(written)
        if opens:
            open_page(written)


def _read(kind: Kind[Any, Any], folder: StoredWork, found: Results | None) -> tuple[dict[str, Any], Report]:
    """Return the figures as JSON, and the report. `found`: the results; those of earlier runs are in the same place."""
    record = read_work(kind, folder)
    if kind.lists_keys:
        return figures(record), listing(record, earlier=earlier_runs(found, record) if found else ())
    return job_figures(record), drawn(record)


def _folder(folder: str, region: str | None, aws_profile: str | None) -> StoredWork:
    if match := S3_URI.fullmatch(folder):
        session = boto3.Session(region_name=region, profile_name=aws_profile)
        return StoredWork(Bucket(clients.s3(session), match[1]), match[2].rstrip("/") + "/")
    if folder.startswith("s3:"):
        raise InputError("--folder", folder, "it must be s3://BUCKET/PREFIX/TABLE/runs/RUN/", "correct it")
    return StoredWork(storage.Folder(Path(folder)))
