"""Follows one run or job. Each look reads only what may have changed."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from skipscan.environment.executions import Executions
from skipscan.environment.status import Execution, Status, state
from skipscan.errors import IncompleteRunError
from skipscan.loop.kind import Failure, Kind, Progress
from skipscan.loop.results import Results

LOOKS = 16

SHORTEST_SECONDS, LONGEST_SECONDS = 1.0, 10.0


def seconds_to_next_look(waited: float) -> float:
    """Return the seconds until the next look, after `waited` seconds. A look at S3 costs as much as ten read units."""
    return min(LONGEST_SECONDS, max(SHORTEST_SECONDS, waited / 60))


class Watch:
    """Follows one run or job. `execution`: the current or the last one, if Step Functions has it.

    `previous`: returns the main count of the last finished run with the same scope, for a plan without an estimate. It
    is called at most once.
    """

    def __init__(
        self,
        kind: Kind[Any, Any],
        results: Results,
        executions: Executions,
        execution: Execution | None,
        previous: Callable[[Mapping[str, Any]], float | None] = lambda plan: None,
    ) -> None:
        self.kind = kind
        self._results = results
        self._executions = executions
        self._execution = execution
        self._plan: Mapping[str, Any] | None = None
        self._reached: dict[int, Progress] = {}
        self._find_previous = previous
        self._previous: float | None = None
        self._has_looked_back = False

    def look(self) -> Status:
        """Return the status.

        A look makes two LISTs, one or two calls to Step Functions, and two GETs for each new batch.
        """
        at, layout = datetime.now(UTC), self._results.layout
        # The execution first: everything that it stored before its end is then found, and not reported as missing. A
        # new execution may not be visible yet.
        execution = self._execution and (self._executions.at(self._execution.arn) or self._execution)
        self._plan = self._plan or self._results.plan()
        manifest = self._results.manifest() if self._plan else None
        committed = self._take_committed(self._plan) if self._plan and not manifest else None
        is_running = bool(execution and execution.is_running)
        failures = self._failures() if self._plan and not manifest else []
        if self._plan and not manifest and not self._has_looked_back and self.kind.expected(self._plan) is None:
            self._previous, self._has_looked_back = self._find_previous(self._plan), True
        return Status(
            self.kind,
            layout.table,
            layout.name,
            state(plan=self._plan, parts=bool(self._reached), manifest=bool(manifest), is_running=is_running),
            at,
            execution,
            self._plan,
            dict(self._reached),
            committed,
            manifest,
            self._results.manifest_uri,
            self._results.report(manifest),
            self._previous,
            self._executions.workers(execution) if execution and is_running and self._plan else None,
            resumes=self._results.resumes() if self._plan and not manifest else 0,
            failures=failures,
        )

    def _failures(self) -> list[Failure]:
        """Return the failures that no later batch of their worker has overcome, the newest first."""
        reached = {worker: progress.batch for worker, progress in self._reached.items()}
        found = [one for one in self._results.failures() if one.batch >= reached.get(one.worker, 0)]
        return sorted(found, key=lambda failure: failure.at, reverse=True)

    def _take_committed(self, document: Mapping[str, Any]) -> datetime | None:
        """Read what workers have committed since the last look; return the time of the newest commit."""
        plan, layout = self.kind.work(document).plan, self._results.layout
        results = self._results.named(self.kind.suffix(plan))
        last: dict[int, tuple[int, datetime]] = {}
        for name, modified in self._results.storage.names(layout.parts):
            place = layout.worker_and_batch(name)
            if place is not None and (place[0] not in last or place[1] > last[place[0]][0]):
                last[place[0]] = (place[1], modified)
        fresh = [
            worker
            for worker, (batch, _) in last.items()
            if worker not in self._reached or self._reached[worker].batch <= batch
        ]

        def reached(worker: int) -> Progress:
            committed = results.committed(worker, last[worker][0])
            if committed is None:
                raise IncompleteRunError(f"a part of worker {worker} was deleted: never delete parts")
            progress: Progress = self.kind.progress(committed, plan)
            return progress

        with ThreadPoolExecutor(LOOKS) as pool:
            self._reached.update(zip(fresh, pool.map(reached, fresh), strict=True))
        return max((modified for _, modified in last.values()), default=None)
