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

import click
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.cli.at import At
from skipscan.cli.work_options import deployed_options
from skipscan.environment import executions
from skipscan.errors import SkipscanError
from verify.check import Check, Outcome
from verify.checks import CHECKS
from verify.checks.jobs import to_copy
from verify.errors import NotTriedError
from verify.kit import Kit
from verify.quote import quote
from verify.report import Report
from verify.run import Finding, run
from verify.stack import stack_name

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
@click.option("--kms-key", help="ARN of a KMS key for an encrypted table, and for objects.")
@click.option("--cloudformation-role", help="ARN of the role that CloudFormation assumes (default: your rights).")
@click.option(
    "--keys", type=click.IntRange(20, 20_000), default=2_000, show_default=True, help="Keys in the table of runs."
)
@click.option(
    "--folder", type=click.Path(path_type=Path), default=FOLDER, show_default=True, help="File of the report."
)
def verify(
    *,
    at: At,
    yes: bool,
    prepare: bool,
    clean: bool,
    only: Sequence[str],
    as_list: bool,
    kms_key: str | None,
    cloudformation_role: str | None,
    keys: int,
    folder: Path,
) -> int:
    """Check in a real account what Skipscan assumes of AWS; docs/verify.md says more.

    Exits with 0 if nothing that was tried failed, 1 if an assumption does not hold or something could not be removed.
    """
    checks = [each for each in CHECKS.values() if not only or each.name in only]
    if as_list:
        for each in checks:
            click.echo(f"{each.name}: {each.assumption} {each.source}\n  if it does not hold: {each.breaks}")
        return 0
    session = at.session()
    deployed = executions.find_deployment(executions.cloudformation_client(session), at.env)
    kit = Kit(session, deployed, secrets.token_hex(3), keys=keys, kms_key=kms_key)
    if clean:
        return _clean(kit, yes=yes)
    if prepare:
        return _prepare(kit, cloudformation_role)
    account = deployed.machines["run"].split(":")[4]
    for line in quote(checks, at.env, account, kit.region):
        click.echo(line)
    if not yes:
        click.confirm("Go on?", abort=True)
    return _verify(kit, checks, account, folder, cloudformation_role)


def _verify(kit: Kit, checks: Sequence[Check], account: str, folder: Path, role: str | None) -> int:
    start, clock = datetime.now(UTC), time.monotonic()
    findings: list[Finding] = []
    interrupted = False
    left: list[str] = []
    with _terminated():
        try:
            click.echo("Creating the stack and loading its tables")
            kit.create(role=role)
            for finding in run(kit, checks):
                findings.append(finding)
                click.echo(f"{MARKS[finding.outcome]:<13}{finding.check.name}: {finding.seen}")
        except KeyboardInterrupt:
            interrupted = True
        finally:
            left = _removed(kit)
    seconds = time.monotonic() - clock
    environment = kit.deployment.environment
    report = Report(environment, kit.region, account, start, seconds, findings, left, interrupted)
    page = report.write(folder)
    click.echo(f"{report.summary}\n{page}")
    if interrupted:
        return INTERRUPTED
    return 1 if report.counts[Outcome.NOT_HELD] or left else 0


def _removed(kit: Kit) -> list[str]:
    """Remove everything that was created; return what is left. After Ctrl-C, say how to continue."""
    click.echo("Removing all resources of this launch")
    try:
        left = kit.remove()
    except KeyboardInterrupt:
        left = ["the removal was interrupted"]
    if left:
        click.echo("\n".join(left))
        click.echo(f"Some resources are left: make verify ENV={kit.deployment.environment} CLEAN=1 removes it")
    return left


def _prepare(kit: Kit, role: str | None) -> int:
    """Create what a copy needs before it is deployed, and print what cdk.json must say."""
    kit.keep(role=role)
    click.echo(f"Add this to environment {kit.deployment.environment} in cdk.json, and deploy:", err=True)
    click.echo(json.dumps(to_copy(kit), indent=2))
    return 0


def _clean(kit: Kit, *, yes: bool) -> int:
    """Remove the stack of a launch that was killed, the tables that stay, and the results of all."""
    click.echo(f"Removes the stacks {stack_name(kit.deployment.environment)} and …-kept, and their results")
    if not yes:
        click.confirm("Go on?", abort=True)
    left = kit.remove(with_kept=True)
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
    except (SkipscanError, NotTriedError, BotoCoreError, ClientError) as error:
        click.echo(f"verify: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
