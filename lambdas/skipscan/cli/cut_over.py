"""`skipscan copy cut-over TABLE`: the steps from a finished copy to writers on the new table.

Every step checks the current state and does only what is missing, so you can interrupt the command and run it again at
any time, also after the replicator was switched off: the comparison of all keys is the proof. It writes to neither
table.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any

import click

from skipscan.cli.board import status_line
from skipscan.cli.output import print_json
from skipscan.cli.say import INTERRUPTED, say
from skipscan.copy.cut_over import (
    COPY_SECONDS,
    CutOverState,
    QuietTime,
    found_difference,
)
from skipscan.copy.cut_over_requests import CutOver, switching_on
from skipscan.copy.input import MOST_COMPARE_ITEMS
from skipscan.copy.kind import COPY
from skipscan.copy.plan import CopyPlan
from skipscan.environment.executions import is_over
from skipscan.environment.status import Execution, State, Status, asks_dry_run
from skipscan.errors import NotFoundError, UnprovenError
from skipscan.inputs.quantities import counted, duration, stamp
from skipscan.library.deployed import Deployed, new_name

COMPARISON = "cut-over-"
"""Prefix of the names of comparisons that this command starts. A copy can have such a name, too."""

LOOK_SECONDS, SAY_SECONDS = 10.0, 60.0
LAST_LOOKS = 6
"""Looks at the stream after a comparison. An empty answer does not mean that a shard has no more records: it can take
several requests to reach them (API reference, "GetRecords")."""


def cut_over(deployed: Deployed, to: str | None, *, as_json: bool, compare_items: int | None, **rates: Any) -> None:
    """Do every missing step, and report whether writers may start on the new table."""
    # A copy that ended earlier can write no more. AWS accepts no request of a clock that is this wrong.
    since = datetime.now(UTC) - timedelta(seconds=COPY_SECONDS)
    plan = _copied(deployed, to)
    source, target = plan.reading.source.table, plan.replica.target
    _stop_comparisons(deployed)
    both = CutOver.of(deployed.session, plan.replica)
    try:
        _check_failures(both)
        say(
            f"stop the writers of {source}, in every region. Only a policy that denies every write stops all of them "
            "for certain: the documentation of copies has one"
        )
        _wait(deployed, both, since)
        copies, quiet = _copies(deployed, since), datetime.now(UTC)
        _turn_off(both)
        _check_unread(both, quiet, target)
        bounds = {name: value for name, value in rates.items() if value is not None}
        copy_input = {"table": source, "to": target, "compare_items": compare_items or MOST_COMPARE_ITEMS, **bounds}
        status = _compare(deployed, both, copy_input)
        is_copied = _copies(deployed, since) != copies
        _check_unread(both, quiet, target)
    except KeyboardInterrupt:
        say("interrupted: run the same command again to continue")
        raise click.exceptions.Exit(INTERRUPTED) from None
    if is_copied:
        raise UnprovenError(
            f"a copy of {source}",
            rule=f"ran during the comparison, and its requests may still write to {target}",
            remedy=f"do not start writers on {target}; wait until the copy has ended, and start again",
        )
    counts: dict[str, int] = vars(status.counts)
    if found := found_difference(counts):
        raise UnprovenError(
            f"{source} and {target}",
            rule=f"differ: {found}; {status.manifest_uri} shows where the differing keys are",
            remedy=f"do not start writers on {target}; {_back(both)}, copy again, and cut over again",
        )
    compared, items = counts["compared"], counts["source_items"] + counts["target_items"]
    if compared < items:
        raise UnprovenError(
            f"only {compared:,} of {items:,} items",
            rule="of both tables were compared, without a difference",
            remedy=f"do not start writers on {target}; {_back(both)}, and cut over again without --compare-items",
        )
    if as_json:
        figures = {"table": source, "to": target, "comparison": status.name}
        print_json({**figures, "items": items // 2, "compared": compared, "equal": True})
        return
    say(f"{source} and {target} are equal: all of {items:,} keys of both tables compared")
    click.echo(f"You can start writers on {target}.")
    say(
        f'the replicator is off. Remove "copy" of {source} from cdk.json and deploy before any other change: a '
        "deployment may switch it on"
    )


def _copied(deployed: Deployed, to: str | None) -> CopyPlan:
    """Return the plan of the newest finished copy; raise `NotFoundError` if there is none."""
    archive = deployed.archive("copy")
    deployed.machine("copy")
    for finished in archive.finished():
        plan: CopyPlan = COPY.work(archive.results(finished.name).plan() or {}).plan
        if plan.compare_only:
            continue
        if to is not None and to != plan.replica.target:
            raise NotFoundError(
                "to",
                to,
                f'table "{deployed.table}" was copied to {plan.replica.target}',
                "give that table, or leave TO out",
            )
        counts = {name: finished.manifest[name] for name in ("missing", "surplus", "different", "refused")}
        said = ", ".join(f"{count:,} {name}" for name, count in counts.items())
        say(f"{deployed.table} was copied to {plan.replica.target} by {finished.name}: {said}")
        return plan
    raise NotFoundError(
        f'table "{deployed.table}"',
        rule=f"has no finished copy in {deployed.env}",
        remedy=f"start one with `skipscan copy start {deployed.table} TO --env {deployed.env} --for-real`",
    )


def _stop_comparisons(deployed: Deployed) -> None:
    """Stop the comparison of an interrupted cut-over, because the stream was not watched since.

    Refuse while a copy runs. Comparisons that somebody else started run on, because they write nothing.
    """
    for name, execution in deployed.running("copy").items():
        if not _only_compares(execution):
            raise NotFoundError(
                f"copy {name}",
                rule="is still running",
                remedy=f"wait for it, or stop it with `skipscan stop {deployed.table} {name} --env {deployed.env}`",
            )
        if name.startswith(COMPARISON):
            deployed.machine("copy").stop(execution)


def _copies(deployed: Deployed, since: datetime) -> tuple[frozenset[str], datetime | None]:
    """Return the running copies of the table, and when the last one ended after `since`. Comparisons do not count."""

    def writes_nothing(one: Execution) -> bool:
        return _only_compares(one) or bool(asks_dry_run(COPY, one)) or not is_over(one, deployed.arn)

    running = {one.arn for one in deployed.running("copy").values() if not writes_nothing(one)}
    return frozenset(running), deployed.machine("copy").last_ended(since, besides=writes_nothing)


def _only_compares(execution: Execution) -> bool:
    """Return whether the input of a copy says that it writes nothing; the input of a resumed copy does not say it."""
    return execution.document.get("compare_only") is True


def _wait(deployed: Deployed, both: CutOver, since: datetime) -> None:
    """Return once nothing in progress can still write to the new table."""
    ended, begun = deployed.machine("copy").last_ended(since, besides=_only_compares), monotonic()
    quiet = QuietTime(begun, None if ended is None else begun - (datetime.now(UTC) - ended).total_seconds())
    said: tuple[CutOverState, float] | None = None
    while True:
        _check_failures(both)
        available, in_flight, delayed = both.queue.counts()
        copying = not all(map(_only_compares, deployed.running("copy").values()))
        read_seconds = _read_seconds(both)
        look, now = (
            CutOverState(both.stream.changes(), available, in_flight, delayed, copying, read_seconds),
            monotonic(),
        )
        quiet.take(look, now)
        wait = quiet.wait_seconds(now)
        if said is None or _news(look) != _news(said[0]) or now - said[1] >= SAY_SECONDS or not wait:
            say(_in_words(look, now - quiet.stream_since, quiet.expected_seconds(now)))
            said = look, now
        if not wait:
            return
        if look.late_looks and set(both.switch.states.values()) == {"Disabled"}:
            raise UnprovenError(
                "the replicator",
                rule=f"is off, and {counted(look.late_looks, 'message')} wait for it",
                remedy=f"{_back(both)}, and start again",
            )
        sleep(min(LOOK_SECONDS, wait))


def _news(look: CutOverState) -> CutOverState:
    """Return an observation without its age, which differs in every observation."""
    return replace(look, read_seconds=None if look.read_seconds is None else 0.0)


def _read_seconds(both: CutOver) -> float | None:
    """Return the seconds since Lambda last invoked or throttled the replicator; `None` if not recently."""
    now = datetime.now(UTC)
    last = both.reader.last_tried(now)
    return None if last is None else max(0.0, (now - last).total_seconds())


def _check_unread(both: CutOver, quiet: datetime, target: str) -> None:
    """End the command if the replicator has worked since the wait ended: its requests may still arrive."""
    last = both.reader.last_tried(datetime.now(UTC), quiet)
    if sum(both.queue.counts()) or (last is not None and last > quiet):
        raise UnprovenError(
            "the replicator",
            rule=f"read a change after the wait, or was refused one, and may still write to {target}",
            remedy=f"do not start writers on {target}; {_back(both)}, and start again",
        )


def _check_failures(both: CutOver) -> None:
    """End the command if the replicator could not make a change."""
    for queue in both.failures:
        if failed := sum(queue.counts()):
            raise UnprovenError(
                f"the failure queue {queue.name}",
                rule=f"has {counted(failed, 'message')}: changes that the replicator could not make, so the tables may "
                "differ",
                remedy="compare them with `skipscan copy compare`, correct the items, purge the queue, and start again",
            )


def _turn_off(both: CutOver) -> None:
    while not both.switch.turn_off():
        sleep(LOOK_SECONDS / 2)
    say(f"the replicator is off. Until writers are on the new table, you can {_back(both)}")


def _compare(deployed: Deployed, both: CutOver, copy_input: Mapping[str, Any]) -> Status:
    """Return the status of a comparison that finished while the old table did not change."""
    name = f"{COMPARISON}{new_name()}"
    machine = deployed.machine("copy")
    execution = machine.start(name, {**copy_input, "compare_only": True, "dry_run": False})
    watch, changes, said = deployed.started("copy", execution), both.stream.records(), None
    try:
        while (status := watch.look()).state.is_under_way:
            changes += both.stream.records()
            if (news := vars(status.counts)) != said:
                say(f"comparison {name}: {status_line(status, None, datetime.now(UTC))}")
            said = news
            sleep(LOOK_SECONDS)
        looks, finished = 0, status.state is State.FINISHED
        while finished and not changes and (looks < LAST_LOOKS or both.stream.awaits_shard):
            if both.stream.awaits_shard:
                say("a shard of the stream was closed. Waiting until DynamoDB lists the shard that continues it")
            sleep(LOOK_SECONDS)
            changes += both.stream.records()
            looks += 1
    except BaseException:
        machine.stop(execution)
        raise
    if changes:
        raise UnprovenError(
            "the old table",
            rule=f"was written to during the comparison ({counted(changes, 'change')} in its stream)",
            remedy=f"do not start writers on the new table; {_back(both)}, stop the old table's writers, and start "
            "again",
        )
    if not finished:
        command = f"skipscan status {deployed.table} {name} --env {deployed.env}"
        raise UnprovenError(
            f"the comparison {name}",
            rule=f"is {status.state}",
            remedy=f"do not start writers yet; `{command}` shows why",
        )
    return status


def _back(both: CutOver) -> str:
    """Return the commands that switch the replicator on again."""
    return f"switch the replicator on again with {switching_on(both.switch.states, both.switch.function)}"


def _in_words(look: CutOverState, quiet_seconds: float, wait_seconds: float) -> str:
    since = datetime.now(UTC) - timedelta(seconds=quiet_seconds)
    late = f"late looks: {look.available:,} available, {look.in_flight:,} in flight, {look.delayed:,} delayed"
    copying = "a copy is running; " if look.copying else ""
    if look.read_seconds is not None:
        copying += f"the replicator was reading or refused {duration(look.read_seconds)} ago; "
    return f"stream quiet since {stamp(since.isoformat())}; {late}; {copying}about {duration(wait_seconds)} left"
