"""`skipscan copy compare TABLE TO --cut-over`: from a finished copy to writers on the new table.

Every step checks the current state, so you can interrupt the command and run it again at any time, also after the
replicator was switched off: the comparison of all keys is the proof. It writes to neither table.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from time import sleep
from typing import Any

import click

from skipscan.aws import clients
from skipscan.cli.board import status_line
from skipscan.cli.output import print_json
from skipscan.cli.say import INTERRUPTED, say
from skipscan.copy.cut_over import AFTER_COPY, QuietTime
from skipscan.copy.input import MOST_COMPARE_ITEMS
from skipscan.copy.kind import COPY
from skipscan.copy.replicator_requests import Replicator, StreamWatch
from skipscan.environment.execution import Execution, asks_dry_run
from skipscan.environment.executions import is_over
from skipscan.environment.status import State, Status
from skipscan.errors import NotFoundError, UnprovenError
from skipscan.inputs.quantities import counted, duration
from skipscan.library.deployed import Deployed
from skipscan.library.options import new_name

LOOK_SECONDS = 10.0
SAY = timedelta(minutes=1)
LAST_LOOKS = 6
"""Looks at the stream after a comparison. An empty answer does not mean that a shard has no more records: it can take
several requests to reach them (API reference, "GetRecords")."""


class CutOver:
    """What a cut-over observes of one pair of tables. It counts the stream's changes from now on."""

    def __init__(self, deployed: Deployed, to: str) -> None:
        self._deployed, self._to, self._machine = deployed, to, deployed.machine("copy")
        # A copy that ended earlier can write no more. AWS accepts no request of a clock that is this wrong.
        self._since = _now() - AFTER_COPY
        archive = deployed.archive("copy")
        plans = (COPY.work(archive.work(one[COPY.label]).plan() or {}).plan for one in archive.finished())
        replica = next((plan.replica for plan in plans if plan.replica.target == to), None)
        if replica is None:
            way = f"start one with `skipscan copy start {deployed.table} {to} --env {deployed.env} --for-real`"
            raise NotFoundError(f'table "{deployed.table}"', rule=f"has no finished copy to {to}", remedy=way)
        self._replicator = Replicator(deployed.session, replica)
        self._stream = StreamWatch(clients.single(deployed.session, "dynamodbstreams"), replica.stream)

    def prove(self, name: str, bounds: Mapping[str, Any]) -> Status:
        """Return the status of a comparison that found all keys equal, while nothing could write to the new table."""
        copied = self._wait()
        while not self._replicator.is_off:
            self._replicator.turn_off()
            sleep(LOOK_SECONDS / 2)
        say(f"the replicator is off. Until writers are on the new table, you can {self._replicator.switching_on}")
        self._check_quiet(copied)
        status = self._compare(name, bounds)
        self._check_quiet(copied)
        self._check_equal(status)
        return status

    def _wait(self) -> datetime | None:
        """Wait until nothing in progress can still write to the new table; return when a copy last ran."""
        next_line = _now()
        quiet = QuietTime(next_line)
        while True:
            for queue in self._replicator.failures:
                if failed := self._replicator.messages(queue):
                    rule = f"has {counted(failed, 'message')}: changes that the replicator could not make"
                    way = "compare the tables with `skipscan copy compare`, correct the items and purge the queue"
                    raise self._unproven(f"the failure queue {queue.rpartition('/')[2]}", rule, way)
            late_looks, changes = self._replicator.messages(self._replicator.queue), self._stream.records()
            read, copied, now = self._replicator.last_tried(_now()), self._last_copied(), _now()
            has_changes = bool(changes) or self._stream.awaits_shard
            quiet.take(now, has_changes=has_changes, late_looks=late_looks, copied=copied, read=read)
            wait = (quiet.until - now).total_seconds()
            if now >= next_line or wait <= 0:
                signs = [f"{counted(changes, 'change')} in the stream", counted(late_looks, "late look")]
                signs += [f"a copy was running {_ago(copied, now)}"] if copied else []
                signs += [f"the replicator was reading or refused {_ago(read, now)}"] if read else []
                say(f"{'; '.join(signs)}; at least {duration(max(0.0, wait))} left")
                next_line = now + SAY
            if wait <= 0:
                return copied
            if late_looks and self._replicator.is_off:
                raise self._unproven("the replicator", f"is off, and {counted(late_looks, 'message')} wait for it")
            sleep(min(LOOK_SECONDS, wait))

    def _check_quiet(self, copied: datetime | None) -> None:
        """Raise `UnprovenError` if something has worked since the wait ended: its requests may still arrive.

        Whatever the replicator read since, it promised a late look before it wrote. Once the replicator is off, nothing
        takes that from the queue, and SQS keeps it for four days.
        """
        worked = ["the replicator"] if self._replicator.messages(self._replicator.queue) else []
        worked += [f"a copy of {self._deployed.table}"] if self._last_copied() != copied else []
        if worked:
            rule = f"worked after the wait, and requests may still write to {self._to}"
            raise self._unproven(" and ".join(worked), rule)

    def _compare(self, name: str, bounds: Mapping[str, Any]) -> Status:
        """Return the status of a comparison that finished while the old table did not change."""
        document = {"table": self._deployed.table, "to": self._to, "compare_items": MOST_COMPARE_ITEMS, **bounds}
        execution = self._machine.start(name, {**document, "compare_only": True, "dry_run": False})
        watch = self._deployed.started("copy", execution)
        changes, looks, said = self._stream.records(), 0, ""
        try:
            while (status := watch.look()).state.is_under_way or (
                status.state is State.FINISHED and not changes and (looks < LAST_LOOKS or self._stream.awaits_shard)
            ):
                news = f"comparison {name}: {status_line(status, None, _now())}"
                if self._stream.awaits_shard:
                    news = "a shard of the stream was closed. Waiting until DynamoDB lists the one that continues it"
                if news != said:
                    say(news)
                looks, said = looks + (not status.state.is_under_way), news
                sleep(LOOK_SECONDS)
                changes += self._stream.records()
        except BaseException:
            self._machine.stop(execution)
            raise
        if changes:
            rule = f"was written to during the comparison ({counted(changes, 'change')} in its stream)"
            raise self._unproven("the old table", rule, "stop the old table's writers")
        if status.state is not State.FINISHED:
            way = f"see why: `skipscan status {self._deployed.table} {name} --env {self._deployed.env}`"
            raise self._unproven(f"the comparison {name}", f"is {status.state}", way)
        return status

    def _check_equal(self, status: Status) -> None:
        counts: dict[str, int] = vars(status.counts)
        compared, old, new = counts["compared"], counts["source_items"], counts["target_items"]
        found = [f"{counts[name]:,} {name}" for name in ("missing", "surplus", "different") if counts[name]]
        found += [f"{old:,} items in the old table and {new:,} in the new one"] if old != new else []
        if found:
            rule = f"differ: {', '.join(found)}; {status.manifest_uri} shows where the differing keys are"
            raise self._unproven(f"{self._deployed.table} and {self._to}", rule, "copy again")
        if compared < old + new:
            rule = "of both tables were compared, without a difference"
            raise self._unproven(f"only {compared:,} of {old + new:,} items", rule, "leave out --compare-items")

    def _unproven(self, subject: str, rule: str, way: str = "") -> UnprovenError:
        ways = (f"do not start writers on {self._to}", way, self._replicator.switching_on, "and start again")
        return UnprovenError(subject, rule=rule, remedy=", ".join(filter(None, ways)))

    def _last_copied(self) -> datetime | None:
        """Return when a copy to the new table last ran: now, or at its end; `None` if that was long ago."""
        if any(not self._writes_nothing(one) for one in self._deployed.running("copy").values()):
            return _now()
        return self._machine.last_ended(self._since, besides=self._writes_nothing)

    def _writes_nothing(self, one: Execution) -> bool:
        """Return whether an execution cannot write to the new table; the input of a resumed copy does not say it."""
        is_comparison = one.document.get("compare_only") is True
        return is_comparison or bool(asks_dry_run(COPY, one)) or not is_over(one, self._deployed.arn)


def _now() -> datetime:
    return datetime.now(UTC)


def _ago(time: datetime, now: datetime) -> str:
    return f"{duration(max(0.0, (now - time).total_seconds()))} ago"


def cut_over(deployed: Deployed, to: str, bounds: Mapping[str, Any], *, name: str | None, as_json: bool) -> None:
    """Do every missing step, and report whether writers may start on the new table."""
    table = deployed.table
    try:
        made = CutOver(deployed, to)
        sure = "Only a policy that denies every write stops all for certain: the documentation of copies has one"
        say(f"stop the writers of {table}, in every region. {sure}")
        status = made.prove(name or f"cut-over-{new_name()}", bounds)
    except KeyboardInterrupt:
        say("interrupted: run the same command again to continue")
        raise click.exceptions.Exit(INTERRUPTED) from None
    compared = vars(status.counts)["compared"]
    if as_json:
        figures = {"table": table, "to": to, "comparison": status.name, "items": compared // 2, "compared": compared}
        print_json({**figures, "equal": True})
        return
    say(f"{table} and {to} are equal: all of {compared:,} keys of both tables compared")
    click.echo(f"You can start writers on {to}.")
    say(
        f'remove "copy" of {table} from cdk.json and deploy before any other change, which may switch the replicator on'
    )
