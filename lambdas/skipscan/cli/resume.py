"""`skipscan resume TABLE [NAME]`: resume a run or job that was stopped, failed or used up its budget."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from skipscan.cli.follow import start_and_follow
from skipscan.cli.into_folder import client_and_prices, listed_into, summary_of
from skipscan.cli.say import waiting
from skipscan.cli.work_options import environment, is_folder
from skipscan.environment.status import Status
from skipscan.errors import NotFoundError
from skipscan.inputs.fields import UNPROTECTED, option_name
from skipscan.inputs.names import quoted
from skipscan.library.deployed import Deployed
from skipscan.library.into_folder import unfinished_in
from skipscan.lines.formats import TEXT


def resume(
    *,
    table_name: str,
    name: str | None,
    noun: str | None,
    follow: bool,
    output: Path | None,
    as_json: bool,
    env: str | None,
    region: str | None,
    profile: str | None,
    endpoint_url: str | None,
    **bounds: Any,
) -> None:
    """Carry out `skipscan resume`."""
    changes = {field: value for field, value in bounds.items() if value is not None}
    if name is None and is_folder(table_name, env):
        if output is not None:
            raise click.UsageError(
                f"a folder holds its keys: leave --output out, and use skipscan download {table_name}"
            )
        _check_writes_nothing(f"the run in {table_name}", changes)
        listing_input = unfinished_in(Path(table_name), changes)
        manifest = listed_into(Path(table_name), listing_input, *client_and_prices(region, profile, endpoint_url))
        if as_json:
            click.echo(summary_of(manifest), nl=False)
        return
    if endpoint_url is not None:
        raise click.UsageError("a run of an environment has the endpoint of AWS: leave --endpoint-url out")
    env = environment(env)
    deployed = Deployed.of(env, table_name, region, profile)
    with waiting("reading the status"):
        watch = (deployed.unfinished(noun) if name is None else None) or deployed.watch(name, noun)
        status, kind = watch.look(), watch.kind
    if status.work is None or not status.can_be_resumed:
        state = "a dry run" if status.is_dry_run and not status.profile else str(status.state)
        raise NotFoundError(
            f"{kind.noun} is {quoted(status.name)}; it is {state}; only unfinished work can be resumed: `skipscan "
            f"runs {deployed.table} --env {env}` lists them"
        )
    if output is not None and kind.noun != "run":
        raise click.UsageError(f"{quoted(status.name)} is of kind {kind.noun}; only a run has keys: leave --output out")
    stated = status.work.plan.stated
    over = {field: stated[field] for field in kind.named if field in stated}
    if kind.lists_keys:
        _check_writes_nothing(f"{quoted(status.name)} is a run, which", changes)
    document = {**over, "resume": status.name, **changes}
    kind.parse(document)
    _check_budgets(status, changes)
    execution = f"{status.name[:50]}-resumed-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    start_and_follow(
        deployed,
        kind.noun,
        execution,
        status.name,
        document,
        follow=follow,
        output=output,
        form=TEXT.name,
        as_json=as_json,
    )


def _check_writes_nothing(work: str, changes: Mapping[str, Any]) -> None:
    """Refuse an option that turns a writing job's protection off."""
    if needless := [field.name for field in UNPROTECTED if field.name in changes]:
        raise click.UsageError(f"{work} does not write: leave {option_name(needless[0])} out")


def _check_budgets(status: Status, changes: Mapping[str, Any]) -> None:
    """Refuse a budget that the committed batches have used up: a worker with open segments would end at once."""
    for unit in ("read_units", "write_units"):
        budget, consumed = changes.get(f"max_{unit}"), getattr(status.counts, unit)
        if budget is not None and budget <= consumed and status.units_left:
            option, noun = option_name(f"max_{unit}"), status.kind.noun
            raise click.UsageError(
                f"{option} is {budget:,.16g}; {noun} {quoted(status.name)} has consumed {consumed:,.1f} "
                f"{unit.replace('_', ' ')}, and a budget covers the whole {noun}: raise it or leave it out"
            )
