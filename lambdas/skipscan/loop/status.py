"""How a run stands at one moment, from what it has put on S3 and what Step Functions says of it.

Only committed batches count: what a worker has found since its last one is on its way and not told.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

from skipscan.dynamodb.prices import Price, read_unit_price
from skipscan.listing.run import Run
from skipscan.scan.counts import Counts
from skipscan.scan.plan import Plan
from skipscan.scan.progress import Progress
from skipscan.scan.segments import share


class State(StrEnum):
    """What a run is doing."""

    STARTING = "starting"  # it works, and has no plan yet
    RUNNING = "running"
    FINISHED = "finished"  # it has a manifest
    UNFINISHED = "unfinished"  # nothing works on it: stopped, failed or out of budget, and it can be resumed
    PLANNED = "planned"  # a plan without a key: of a dry run, or of a run that went no further
    REFUSED = "refused"  # it has not even a plan

    @property
    def goes_on(self) -> bool:
        return self in {State.STARTING, State.RUNNING}


def state(*, plan: bool, parts: bool, manifest: bool, at_work: bool) -> State:
    """Return the state of a run that has these things."""
    if manifest:
        return State.FINISHED
    if at_work:
        return State.RUNNING if plan else State.STARTING
    if not plan:
        return State.REFUSED
    return State.UNFINISHED if parts else State.PLANNED


@dataclass(frozen=True)
class Execution:
    """An execution of the state machine. `document`: its input. `status`: in Step Functions' word.

    `output`: of one that has succeeded.
    """

    name: str
    arn: str
    status: str
    started: datetime
    document: Mapping[str, Any]
    error: str | None = None
    cause: str | None = None
    output: Mapping[str, Any] | None = None

    @property
    def is_running(self) -> bool:
        return self.status in {"RUNNING", "PENDING_REDRIVE"}

    @property
    def run(self) -> str:
        """The run it works on: its own, or the one it resumes."""
        return str(self.document.get("resume") or self.name)


@dataclass(frozen=True)
class Standing:
    """A look at a run.

    `at`: when it was taken. `plan`: what plan.json holds; `None` as long as there is none. `reached`: a worker's
    progress after its last committed batch, by worker. `committed`: when the last batch of all was. `manifest`: of a
    finished run. `workers_by_state`: the Map Run's counts, `None` before the Map.
    """

    table: str
    name: str
    state: State
    at: datetime
    execution: Execution | None = None
    plan: Mapping[str, Any] | None = None
    reached: Mapping[int, Progress] | None = None
    committed: datetime | None = None
    manifest: Mapping[str, Any] | None = None
    manifest_uri: str | None = None
    workers_by_state: Mapping[str, int] | None = None

    @cached_property
    def run(self) -> Run | None:
        return Run.from_json(self.plan) if self.plan else None

    @cached_property
    def counts(self) -> Counts:
        if self.manifest:
            return Counts.from_json(self.manifest)
        return Counts.total(progress.counts for progress in (self.reached or {}).values())

    @cached_property
    def workers(self) -> tuple[Progress, ...]:
        """Every worker's progress; those without a committed batch are at their start."""
        run, reached = self.run, self.reached or {}
        if run is None:
            return ()
        return tuple(reached.get(worker) or Progress.start(run.plan, worker) for worker in range(run.plan.workers))

    @property
    def segments(self) -> int:
        return self.run.plan.segments if self.run else 0

    @cached_property
    def segments_left(self) -> int:
        if self.manifest:
            return int(self.manifest["segments_left"])
        run = self.run
        return sum(progress.segments_left(run.plan) for progress in self.workers) if run else 0

    @property
    def expected_keys(self) -> float | None:
        """The plan's estimate, if it took a sample."""
        expected = self._expected
        return float(expected["keys"]["estimate"]) if expected else None

    @property
    def part_done(self) -> float:
        """How much of the run is done, 0 to 1: keys found of those expected, or else segments.

        A segment that is being walked counts as half done once as many have ended as are under way; before that all
        of them may just have begun. It is 1 for a finished run alone.
        """
        if self.state is State.FINISHED:
            return 1.0
        if not self.segments:
            return 0.0
        ended = self.segments - self.segments_left
        under_way = max(1, self._under_way)
        by_segments = (ended + self._under_way * min(1, ended / under_way) / 2) / self.segments
        expected = self.expected_keys
        done = max(self.counts.keys / expected, by_segments) if expected else by_segments
        return min(done, 0.99)

    @property
    def _under_way(self) -> int:
        """How many segments are begun and not walked to their end."""
        return sum(len(progress.cursors) for progress in self.workers)

    @property
    def price(self) -> Price | None:
        """The price of a million read units; `None` where capacity is provisioned, and paid for anyway."""
        return read_unit_price(self.plan or {})

    @property
    def dollars(self) -> float:
        """What the read units cost."""
        price = self.price
        return price.of(self.counts.read_units) if price else 0.0

    def keys_per_second(self, since: "Standing | None" = None) -> float | None:
        """Return the rate of the committed batches, from the run's start or from an earlier look at it."""
        begun, before = self._begun(since)
        if self.manifest and since is None:
            seconds = float(self.manifest["seconds"])
        elif begun and self.committed and self.committed > begun:
            seconds = (self.committed - begun).total_seconds()
        else:
            return None
        return (self.counts.keys - before.counts.keys) / max(seconds, 0.001)

    def estimated_end(self, since: "Standing | None" = None) -> datetime | None:
        """Return when the run should be done, if it goes on as it has, or else as its plan expected.

        Without an expectation nothing is said before as many segments have ended as are under way.
        """
        if self.state is not State.RUNNING:
            return None
        begun, before = self._begun(since)
        if self._expected is None and self.segments - self.segments_left < self._under_way:
            return None
        gained = self.part_done - before.part_done
        if begun and self.committed and self.committed > begun and gained > 0:
            return self.committed + (self.committed - begun) * ((1 - self.part_done) / gained)
        minutes = self._expected and self._expected["minutes"]
        return begun + timedelta(minutes=minutes) if begun and minutes and since is None else None

    def to_json(self, since: "Standing | None" = None) -> dict[str, Any]:
        """Return all of it without a key value; times are ISO 8601 in UTC, figures those of committed batches."""
        execution, run, price = self.execution, self.run, self.price
        rate, end = self.keys_per_second(since), self.estimated_end(since)
        return {
            "table": self.table,
            "run": self.name,
            "state": self.state,
            "started": run.started if run else None,
            "finished": self.manifest["finished"] if self.manifest else None,
            "committed": self.committed.isoformat() if self.committed else None,
            **self.counts.to_json(),
            "keys_per_second": None if rate is None else round(rate, 1),
            "expected_keys": self.expected_keys,
            "part_done": round(self.part_done, 4),
            "estimated_end": end.isoformat(timespec="seconds") if end else None,
            "read_unit_dollars": round(self.dollars, 6),
            "price": {"dollars_per_million": price.dollars_per_million, "as_of": price.as_of, "source": price.source}
            if price
            else None,
            "segments": self.segments,
            "segments_left": self.segments_left,
            "workers": [_worker(progress, run.plan) for progress in self.workers] if run and not self.manifest else [],
            "workers_by_state": self.workers_by_state,
            "execution": {"name": execution.name, "status": execution.status, "error": execution.error}
            if execution
            else None,
            "manifest": self.manifest_uri if self.manifest else None,
        }

    def _begun(self, since: "Standing | None") -> tuple[datetime | None, "Standing"]:
        """Return from when, and from which figures, the rate counts."""
        if since is not None:
            return since.at, since
        nothing = Standing(self.table, self.name, State.STARTING, self.at)
        return (datetime.fromisoformat(self.run.started) if self.run else None), nothing

    @property
    def _expected(self) -> Mapping[str, Any] | None:
        explanation = (self.plan or {}).get("explanation")
        expected: Mapping[str, Any] | None = explanation["choice"]["expected"] if explanation else None
        return expected


def _worker(progress: Progress, plan: Plan) -> dict[str, Any]:
    return {
        "worker": progress.worker,
        "batches": progress.batch,
        "keys": progress.counts.keys,
        "read_units": progress.counts.read_units,
        "segments": share(progress.worker, plan.workers, plan.segments),
        "segments_left": progress.segments_left(plan),
        "done": progress.done(plan),
    }
