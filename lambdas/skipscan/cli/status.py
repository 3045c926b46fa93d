"""`skipscan status TABLE [NAME]` and `skipscan stop TABLE [NAME]`: the status of a run or job, and its end."""

from datetime import UTC, datetime

import click

from skipscan.cli.board import board, show
from skipscan.cli.follow import check_ended
from skipscan.cli.follow import follow as follow_run
from skipscan.cli.output import print_json
from skipscan.cli.say import say, waiting
from skipscan.environment import KINDS
from skipscan.environment.status import asks_dry_run
from skipscan.errors import NotFoundError
from skipscan.library.deployed import Deployed


def status(
    *,
    table_name: str,
    name: str | None,
    noun: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    aws_profile: str | None,
) -> None:
    """Carry out `skipscan status`."""
    deployed = Deployed.of(env, table_name, region, aws_profile)
    with waiting("reading the status"):
        watch = deployed.watch(name, noun, refused=True)
        status_now = watch.look()
    if follow:
        status_now = follow_run(watch, status_now, as_json=as_json, env=env)
    if not as_json:
        show(board(status_now, None, datetime.now(UTC)))
    elif not follow:
        print_json(status_now.to_json())
    check_ended(status_now, deployed)


def stop(
    *,
    table_name: str,
    name: str | None,
    noun: str | None,
    as_json: bool,
    env: str,
    region: str | None,
    aws_profile: str | None,
) -> None:
    """Carry out `skipscan stop`."""
    deployed = Deployed.of(env, table_name, region, aws_profile)
    with waiting("finding what is running"):
        at_work = [
            (kind, execution)
            for kind, machine in deployed.machines.items()
            if noun in {None, kind}
            for execution in machine.running(deployed.arn)
            if name in {None, execution.work, execution.name}
        ]
    names = sorted({(kind, execution.work) for kind, execution in at_work})
    if not names:
        way = f"`skipscan runs {deployed.table} --env {env}` lists all runs and jobs"
        if name:
            raise NotFoundError(noun or "name", name, f"it is not running in {env}", way)
        raise NotFoundError(f'table "{deployed.table}"', rule=f"has nothing running in {env}", remedy=way)
    if len(names) > 1:
        listed = ", ".join(f"{kind} {work}" for kind, work in names)
        raise NotFoundError(
            f'table "{deployed.table}"',
            rule=f"has {len(names)} runs and jobs that are running in {env}",
            remedy=f"choose one by name and --kind: {listed}",
        )
    ((kind, work),) = names
    for _, execution in at_work:
        deployed.machine(kind).stop(execution)
    if as_json:
        stopped = [execution.name for _, execution in at_work]
        print_json({"table": deployed.table, "kind": kind, kind: work, "stopped": stopped})
        return
    click.echo(work)
    if all(asks_dry_run(KINDS[kind], execution) or execution.document.get("profile") for _, execution in at_work):
        say("stopped. A dry run or a profile has nothing to resume")
        return
    say(f"stopped. Resume it: skipscan resume {deployed.table} {work} --env {env}")
