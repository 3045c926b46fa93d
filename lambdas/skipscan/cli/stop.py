"""`skipscan stop TABLE [RUN]`: end what works on a run."""

import json

import click

from skipscan.cli.deployed import Deployed, deployed_options, json_option, run_argument
from skipscan.cli.examples import examples
from skipscan.errors import NotFoundError
from skipscan.inputs.quoted import quoted


@click.command(
    short_help="Stop a run.",
    epilog=examples(
        "skipscan stop Orders --env dev",
        "skipscan stop Orders 20260131-030000-1f2e --env dev",
    ),
)
@run_argument
@json_option
@deployed_options
def stop(*, table_name: str, run: str | None, as_json: bool, env: str, region: str | None, profile: str | None) -> None:
    """Stop a RUN over TABLE, or a job by its name; the run that is running, if none is named.

    What is committed stays, and the run can be resumed. A worker may go on with its batch for some minutes; whether it
    counts or not is settled when the run is resumed, and no key is lost or paid for twice.
    """
    deployed = Deployed.of(env, table_name, region, profile)
    at_work = deployed.executions.running(deployed.table)
    runs = sorted({execution.run for execution in at_work})
    if run is None and len(runs) > 1:
        raise NotFoundError(f"{len(runs)} runs over {deployed.table} are running: name one of {', '.join(runs)}")
    name = run or (runs[0] if runs else None)
    stopped = [execution for execution in at_work if execution.run == name]
    if not stopped and run is not None and _stop_job(deployed, run, as_json=as_json):
        return
    if not stopped:
        which = f"run is {quoted(run)}; that run is not" if run else f'table "{deployed.table}" has no run that is'
        raise NotFoundError(f"{which} running in {env}: `skipscan list {deployed.table} --env {env}` shows its runs")
    for execution in stopped:
        deployed.executions.stop(execution)
    if as_json:
        figures = {"table": deployed.table, "run": name, "stopped": [execution.name for execution in stopped]}
        click.echo(json.dumps(figures, indent=2))
        return
    click.echo(name)
    click.echo(f"skipscan: stopped; go on with it: skipscan resume {deployed.table} {name} --env {env}", err=True)


def _stop_job(deployed: Deployed, name: str, *, as_json: bool) -> bool:
    """Stop a job that is at work; return whether there was one of that name."""
    for does, machine in deployed.jobs.items():
        for execution in machine.running(deployed.table):
            if execution.name != name:
                continue
            machine.stop(execution)
            if as_json:
                click.echo(json.dumps({"table": deployed.table, "job": name, "stopped": [name]}, indent=2))
                return True
            click.echo(name)
            document = execution.document
            told = " ".join([deployed.table, *(str(document[field]) for field in ("run", "to") if field in document)])
            resumed = document.get("resume", name)
            click.echo(f"skipscan: stopped; go on with it: skipscan {does} {told} --resume {resumed}", err=True)
            return True
    return False
