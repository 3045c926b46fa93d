"""`python -m verify --env ENV`: runs the checks in the account that the credentials are for."""

import json
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.cli.work_options import deployed_options
from skipscan.environment import executions
from skipscan.errors import SkipscanError
from verify.check import Check, Outcome
from verify.checks import CHECKS
from verify.checks.jobs import to_copy
from verify.kit import Kit
from verify.quote import quote, tables
from verify.removal import found, remove
from verify.report import Report
from verify.run import Finding, run

FOLDER = Path("build/verify")
INTERRUPTED = 130
MARKS = {Outcome.HELD: "held", Outcome.NOT_HELD: "DID NOT HOLD", Outcome.NOT_TRIED: "not tried"}


@click.command()
@deployed_options
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--prepare", is_flag=True, help="Create the tables that stay for the copy's checks, without running checks."
)
@click.option("--clean", is_flag=True, help="Remove leftovers of earlier launches, without running checks.")
@click.option(
    "--only", multiple=True, type=click.Choice(list(CHECKS)), metavar="CHECK", help="Run this check (repeatable)."
)
@click.option("--list", "as_list", is_flag=True, help="Only list the checks.")
@click.option("--kms-key", help="ARN of a KMS key for encrypted objects (default: the account's S3 key).")
@click.option(
    "--keys", type=click.IntRange(20, 20_000), default=2_000, show_default=True, help="Keys in the table of runs."
)
@click.option(
    "--folder", type=click.Path(path_type=Path), default=FOLDER, show_default=True, help="File of the report."
)
def verify(
    *,
    env: str,
    region: str | None,
    aws_profile: str | None,
    yes: bool,
    prepare: bool,
    clean: bool,
    only: Sequence[str],
    as_list: bool,
    kms_key: str | None,
    keys: int,
    folder: Path,
) -> int:
    """Check in a real account what Skipscan assumes of AWS; docs/verify.md says more.

    Exits with 0 if nothing that was tried failed, 1 if an assumption does not hold or something could not be removed.
    """
    checks = [each for each in CHECKS.values() if not only or each.name in only]
    if as_list:
        for each in checks:
            click.echo(f"{each.name}: {each.assumption} {each.source}")
        return 0
    session = boto3.Session(region_name=region, profile_name=aws_profile)
    deployed = executions.find_deployment(executions.cloudformation_client(session), env)
    kit = Kit(session, deployed, secrets.token_hex(3), keys=keys, kms_key=kms_key)
    if clean:
        return _clean(kit, yes=yes)
    if prepare:
        return _prepare(kit)
    account = deployed.machines["run"].split(":")[4]
    for line in quote(checks, env, account, kit.region):
        click.echo(line)
    if not yes:
        click.confirm("Go on?", abort=True)
    return _verify(kit, checks, account, folder)


def _verify(kit: Kit, checks: Sequence[Check], account: str, folder: Path) -> int:
    began, clock = datetime.now(UTC), time.monotonic()
    findings: list[Finding] = []
    interrupted = False
    left: list[str] = []
    with _terminated():
        try:
            click.echo("Creating tables")
            kit.prepare(*tables(checks))
            for finding in run(kit, checks):
                findings.append(finding)
                click.echo(f"{MARKS[finding.outcome]:<13}{finding.check.name}: {finding.seen}")
        except KeyboardInterrupt:
            interrupted = True
        finally:
            left = _removed(kit)
    seconds = time.monotonic() - clock
    environment = kit.deployment.environment
    report = Report(environment, kit.region, account, began, seconds, findings, left, interrupted)
    _, page = report.write(folder)
    click.echo(f"{report.summary}\n{page}")
    if interrupted:
        return INTERRUPTED
    return 1 if report.counts[Outcome.NOT_HELD] or left else 0


def _removed(kit: Kit) -> list[str]:
    """Remove everything that was created; return what is left. After Ctrl-C, say how to continue."""
    click.echo("Removing all resources of this launch")
    try:
        left = remove(kit, kit.made)
    except KeyboardInterrupt:
        left = ["the removal was interrupted"]
    if left:
        click.echo("\n".join(left))
        click.echo(f"Some resources are left: make verify ENV={kit.deployment.environment} CLEAN=1 removes it")
    return left


def _prepare(kit: Kit) -> int:
    """Create what a copy needs before it is deployed, and print what cdk.json must say; remove what is not whole."""
    with _terminated():
        try:
            said = to_copy(kit)
        except KeyboardInterrupt:
            said = None
        finally:
            left = _removed(kit) if kit.made else []
    if said is None:
        return INTERRUPTED
    click.echo(f"Add this to environment {kit.deployment.environment} in cdk.json, and deploy:", err=True)
    click.echo(json.dumps(said, indent=2))
    return 1 if left else 0


def _clean(kit: Kit, *, yes: bool) -> int:
    unseen: list[str] = []
    things = list(found(kit, click.echo, unseen.append))
    for thing in things:
        click.echo(f"{thing.kind} {thing.name}")
    if not things and not unseen:
        click.echo("No leftovers of earlier launches")
    if things and not yes:
        click.confirm("Remove these?", abort=True)
    left = [*unseen, *remove(kit, things)]
    for line in left:
        click.echo(line)
    return 1 if left else 0


@contextmanager
def _terminated() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C, so that what was made is removed."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def main() -> None:
    """Run the command, and end the process with its exit status."""
    try:
        sys.exit(verify.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        click.echo("nothing was made", err=True)
        sys.exit(INTERRUPTED)
    except (SkipscanError, BotoCoreError, ClientError) as error:
        click.echo(f"verify: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
