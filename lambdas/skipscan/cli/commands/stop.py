"""`skipscan stop TABLE [NAME]`: end a run or job."""

from contextlib import suppress

import click

from skipscan.cli.at import At
from skipscan.cli.options import examples, grouped_command
from skipscan.cli.output import print_json
from skipscan.cli.say import say, waiting
from skipscan.cli.work_options import deployed_options, json_option, of_kind, work_argument
from skipscan.errors import IncompleteRunError, NotFoundError


@grouped_command(
    epilog=examples(
        "skipscan stop Orders --env dev",
        "skipscan stop Orders markers --env dev",
    ),
)
@work_argument
@json_option
@deployed_options
def stop_command(
    *,
    at: At,
    table_name: str,
    name: str | None,
    label: str | None,
    as_json: bool,
) -> None:
    """Stop a run or job over TABLE (default: the one that is running).

    Committed batches are kept, and the work can be resumed. A worker may take some minutes to finish its batch.
    Resuming counts each batch once: nothing is lost or paid for twice.
    """
    from skipscan.environment import KINDS
    from skipscan.environment.execution import asks_dry_run

    deployed = at.deployed(table_name)
    with waiting("finding what is running"):
        at_work = [
            (kind, execution)
            for kind, machine in deployed.machines.items()
            if label in {None, kind}
            for execution in machine.running(deployed.arn)
            if name in {None, execution.work, execution.name}
        ]
    names = sorted({(kind, execution.work) for kind, execution in at_work})
    if not names:
        way = f"`skipscan runs {deployed.table} --env {at.env}` lists all runs and jobs"
        if name:
            state = ""
            with suppress(IncompleteRunError):  # its checkpoints have expired
                state = f"{deployed.watch(name, label).look().state}, and "
            raise NotFoundError(label or "name", name, f"it is {state}not running in {at.env}", way)
        rule = f"has nothing running in {at.env}"
        raise NotFoundError(f'table "{deployed.table}"', rule=rule, remedy=deployed.meant(way))
    if len(names) > 1:
        listed = ", ".join(f"{kind} {work}" for kind, work in names)
        raise NotFoundError(
            f'table "{deployed.table}"',
            rule=f"has {len(names)} runs and jobs that are running in {at.env}",
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
    say(f"stopped. Resume it: skipscan resume {deployed.table} {work}{of_kind(kind)} --env {at.env}")
