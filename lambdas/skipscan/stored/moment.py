"""One piece of work at one moment: its counts, its bill, and how much of it is done. Only committed batches count."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from skipscan.loop.billing import bill_of, ended_bill, services_of
from skipscan.loop.finish import estimated
from skipscan.loop.kind import AnyProgress, Kind
from skipscan.loop.work import Work
from skipscan.pace.bill import Bill
from skipscan.pace.counts import Counts


@dataclass(frozen=True)
class Moment:
    """`at`: when it was looked at. `document`: plan.json. `ending`: manifest.json, or unfinished.json of stopped work.

    `reached`: by worker, the progress after its last committed batch; `None` where that batch's checkpoint expired.
    `committed`: when the newest batch was. `resumes`: how many executions resumed the work. `previous`: the main count
    of the last work with the same scope.
    """

    kind: Kind[Any]
    at: datetime
    document: Mapping[str, Any]
    ending: Mapping[str, Any] | None = None
    reached: Mapping[int, AnyProgress | None] = field(default_factory=dict)
    committed: datetime | None = None
    resumes: int = 0
    previous: float | None = None

    @cached_property
    def work(self) -> Work[Any]:
        return self.kind.work(self.document)

    @property
    def plan(self) -> Any:
        return self.work.plan

    @property
    def explanation(self) -> Mapping[str, Any]:
        """Return what the plan explains of itself; empty if it took no sample."""
        return self.document.get("explanation") or {}

    @property
    def facts(self) -> Mapping[str, Any]:
        """Return the table's description from before the work; empty if plan.json has none."""
        return self.document.get("facts") or self.explanation.get("facts") or {}

    @cached_property
    def workers(self) -> tuple[AnyProgress, ...]:
        """Return the progress of each worker of unended work; before its first committed batch, the start."""
        if self.ending is not None:
            return ()
        start, numbers = self.kind.start, range(self.plan.workers)
        found = (self.reached[one] if one in self.reached else start(self.plan, one) for one in numbers)
        return tuple(progress for progress in found if progress is not None)

    @cached_property
    def counts(self) -> Counts:
        form = self.kind.counts_form
        if self.ending is not None:
            return form.stated(self.ending)
        return form.total(progress.counts for progress in self.workers)

    @property
    def left(self) -> int | None:
        """Return how many of its units (segments, slices, walks) have not ended; `None` if a checkpoint expired."""
        if self.ending is not None:
            return int(self.ending[f"{self.kind.unit}_left"])
        is_known = len(self.workers) == self.plan.workers
        return sum(progress.left(self.plan) for progress in self.workers) if is_known else None

    @property
    def under_way(self) -> int:
        """Return how many of its units have started and not ended."""
        return sum(progress.position.under_way for progress in self.workers)

    @property
    def is_complete(self) -> bool:
        return self.ending is not None and bool(self.ending["complete"])

    @property
    def started(self) -> datetime:
        return datetime.fromisoformat(self.work.started)

    @property
    def seconds(self) -> float | None:
        """How long the work took, or has gone on until its newest commit."""
        if self.ending is not None:
            return float(self.ending["seconds"])
        passed = (self.committed - self.started).total_seconds() if self.committed else 0.0
        return passed if passed > 0 else None

    @cached_property
    def bill(self) -> Bill:
        """The whole bill so far: of ended work as its document states it, else of the committed batches."""
        if self.ending is not None:
            return ended_bill(self.plan, self.document, self.counts, self.ending)
        if not any(progress.batch for progress in self.workers):
            return Bill()
        services = services_of(self.plan, self.workers, self.resumes)
        return bill_of(self.plan, self.document, self.counts, services)

    @property
    def followed(self) -> str:
        """Return the name of the main count."""
        return self.kind.followed(self.plan)

    @property
    def done(self) -> int:
        """Return the main count: of keys or items."""
        return int(vars(self.counts)[self.followed])

    @property
    def labels(self) -> str:
        """Return what the main count counts, for people."""
        return self.kind.headline_labels(self.plan)

    @property
    def units(self) -> int:
        """Return the number of units (segments, slices, walks)."""
        return self.kind.units(self.plan)

    @property
    def expected(self) -> float | None:
        """Return the expected final value of `done`, by the plan's estimate or else by the last finished work."""
        stated = self.kind.expected(self.document)
        return self.previous if stated is None else stated

    @property
    def ended(self) -> int:
        """Return how many units have ended, as far as it is known."""
        return self.units - (self.units if self.left is None else self.left)

    @property
    def is_measurable(self) -> bool:
        """Return whether `part_done` is a meaningful figure yet.

        Without an expectation, as many units must have ended as are open.
        """
        return self.is_complete or bool(self.expected) or self.ended >= max(1, self.under_way)

    @property
    def part_done(self) -> float:
        """Return how much of the work is done, from 0 to 1, by the expected count or by units.

        An open unit counts as half done once as many units have ended as are open; before that all open ones may have
        just started. Only finished work has 1.
        """
        if self.is_complete:
            return 1.0
        if not self.units:
            return 0.0
        by_units = (self.ended + self.under_way * min(1, self.ended / max(1, self.under_way)) / 2) / self.units
        return min(max(self.done / self.expected, by_units) if self.expected else by_units, 0.99)

    def per_second(self, since: "Moment | None" = None) -> float | None:
        """Return how many keys or items a second were committed, since the start or since an earlier moment."""
        if since is None:
            return None if self.seconds is None else self.done / max(self.seconds, 0.001)
        passed = (self.committed - since.at).total_seconds() if self.committed else 0.0
        return (self.done - since.done) / max(passed, 0.001) if passed > 0 else None

    def estimated_end(self, since: "Moment | None" = None) -> datetime | None:
        """Return when the work should end if it runs, at its speed so far, or else by its plan.

        Without an expectation it is `None` until as many units have ended as are open.
        """
        if self.expected is None and self.ended < self.under_way:
            return None
        start, before = (since.at, since.part_done) if since else (self.started, 0.0)
        gained = self.part_done - before
        if self.committed and self.committed > start and gained > 0:
            return self.committed + (self.committed - start) * ((1 - self.part_done) / gained)
        minutes = (estimated(self.document) or {}).get("minutes")
        return start + timedelta(minutes=minutes) if minutes and since is None else None
