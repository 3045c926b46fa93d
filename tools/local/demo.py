"""All of Skipscan on this machine: `python -m local.demo [PICTURE]`.

Deploys the environment `local` with the CDK to an embedded AWS, lists the partition keys of a sample table with the
state machine and from the command line, and compares: the keys with the loaded ones, the cost with three other ways to
list them. `PICTURE`: a file of SVG for the end of it, docs/images/demo.svg.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from local import report
from local.checkout import BUILD, environ
from local.embedded import Embedded
from local.listing import full_scan, one_item_skip_scan, parallel_scan
from local.stage import TABLE, present, stage
from local.steps import Steps
from skipscan.aws.bucket import Bucket
from skipscan.dynamodb.page import STEP_BYTES, STEP_UNITS
from skipscan.listing.kind import LISTING
from skipscan.loop.finish import estimated
from skipscan.loop.results import Results
from skipscan.report.listing import listing
from skipscan.report.record import WorkRecord, read_work
from skipscan.report.ways import ways as ways_of
from skipscan.stored.stored_work import StoredWork

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb import DynamoDBClient

RUN = f"demo-{datetime.now(UTC):%Y-%m-%d}"
COPY = BUILD / "demo"


def demonstrate(console: Console) -> int:
    """Run every step in order and print the figures; exit with 0 if the listed keys are the loaded keys."""
    steps = Steps(console)
    with stage(steps) as set_up:
        results = set_up.results(RUN)
        with steps.step(f'Run the state machine with {{"table": "{TABLE}"}}') as emit:
            output = set_up.run(
                {"table": TABLE}, name=RUN, emit=lambda status: emit(f"{status}, {results.keys():,} keys on S3")
            )
        shutil.rmtree(COPY, ignore_errors=True)
        keys = [key["customer"] for key in results.copy(COPY)]

        dynamodb = set_up.account.dynamodb
        with steps.step(f"Estimate what it takes: skipscan plan {TABLE}") as emit:
            plan = json.loads(skipscan(set_up.account, "plan", TABLE, "--json"))
            emit("about {estimate:,.0f} ({low:,.0f} to {high:,.0f}) keys".format(**plan["keys"]))
        with steps.step(f"List the keys from this machine, with nothing deployed: skipscan keys {TABLE}"):
            here = keys_from_here(set_up.account)
        with steps.step("List the keys in three other ways, to compare"):
            one_item, full, parallel = compared(dynamodb)

        with steps.step("Draw the report"):
            bucket = Bucket(set_up.account.s3, set_up.outputs["BucketName"])
            run = StoredWork(LISTING, Results(bucket, LISTING.layout("skipscan", TABLE, RUN)))
            record = beside(read_work(run), plan, full.read_units)
            jobs = {way.name: way for way in ways_of(record)}
            (COPY / "report.html").write_text(listing(record), encoding="utf-8")

    ways = (report.Way.deployed(output), report.Way.here(here), one_item, full, parallel)
    (COPY / "ways.json").write_text(json.dumps([asdict(way) for way in ways], indent=2) + "\n", encoding="utf-8")
    console.print()
    console.print(report.ending(ways, jobs))
    for file in sys.argv[1:]:
        from local.pictures import picture  # noqa: PLC0415  (nobody else waits for the command's modules)

        picture(report.ending(ways, jobs), "make demo", Path(file))
    console.print()
    for line in report.places(keys, output, COPY):
        console.print(line, soft_wrap=True)
    console.print()
    if wrong := report.difference(keys, set_up.loaded):
        console.print(f"[red]The keys differ from the loaded keys: {wrong}.[/]")
        return 1
    console.print(f"[green]The keys are the {len(set_up.loaded):,} loaded keys, each exactly once.[/]")
    return 0


def compared(client: DynamoDBClient) -> tuple[report.Way, report.Way, report.Way]:
    """List the keys in the three other ways; return what each consumed."""
    return (
        report.Way.plain(report.LIMIT_1, one_item_skip_scan(client, TABLE, "customer", "order")),
        report.Way.plain(report.FULL, full_scan(client, TABLE, "customer")),
        report.Way.plain(report.PARALLEL, parallel_scan(client, TABLE, "customer")),
    )


def beside(record: WorkRecord, plan: Mapping[str, Any], read_units: float) -> WorkRecord:
    """Return the record of a run with what `skipscan plan` estimated: a run of this size takes no sample of its own.

    And with the table's size, which this engine's DescribeTable never shows. `read_units`: of a full scan.
    """
    facts = {**plan["facts"], "size_bytes": read_units / STEP_UNITS * STEP_BYTES}
    planned = {**record.document, "explanation": plan, "facts": facts}
    return replace(record, document=planned, ending={**(record.ending or {}), "estimated": estimated(planned)})


def skipscan(account: Embedded, *arguments: str) -> bytes:
    """Run a command against the account; return what it prints."""
    variables = environ(AWS_ENDPOINT_URL=account.endpoint, AWS_ENDPOINT_URL_DYNAMODB=account.dynamodb_endpoint)
    command = [sys.executable, "-m", "skipscan", *arguments]
    # Not on the terminal: the command's own progress would share a line with the step's spinner.
    done = subprocess.run(command, env=variables, capture_output=True, check=False)
    if done.returncode:
        sys.stderr.buffer.write(done.stderr)
        done.check_returncode()
    return done.stdout


def keys_from_here(account: Embedded, *options: str) -> dict[str, Any]:
    """Run `skipscan keys` against the account; return its summary."""
    COPY.mkdir(parents=True, exist_ok=True)
    summary = COPY / "summary.json"
    (COPY / "customers.txt").write_bytes(skipscan(account, "keys", TABLE, f"--summary={summary}", *options))
    found: dict[str, Any] = json.loads(summary.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    sys.exit(present(demonstrate))
