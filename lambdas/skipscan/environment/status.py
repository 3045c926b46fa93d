"""The status of one piece of work at one moment, from stored objects and from Step Functions.

Only committed batches count: keys found since a worker's last commit are not shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

from skipscan import form
from skipscan.environment.execution import Execution, asks_dry_run
from skipscan.errors import BudgetError
from skipscan.inputs.quantities import duration, stamp
from skipscan.loop.kind import AnyProgress, Failure, Kind
from skipscan.pace.counts import Counts
from skipscan.stored.figures import Figure, figures, figures_to_json, of_worker
from skipscan.stored.moment import Moment


class State(StrEnum):
    """The state of the work."""

    STARTING = "starting"  # running, without a plan yet
    RUNNING = "running"
    FINISHED = "finished"  # it has a manifest
    UNFINISHED = "unfinished"  # not running: stopped, failed or out of budget; it can be resumed
    PLANNED = "planned"  # a plan without a batch: of a dry run, or of work that ended after its plan
    PROFILED = "profiled"  # no listing: Plan profiled the table
    SKIPPED = "skipped"  # no listing: an earlier run with the same input was still running
    REFUSED = "refused"  # no plan
    UNREADABLE = "unreadable"  # another version wrote its plan in another form

    @property
    def is_under_way(self) -> bool:
        return self in {State.STARTING, State.RUNNING}


ENDED_WELL = {State.FINISHED, State.UNREADABLE, State.PROFILED, State.SKIPPED}
"""The states of work that did not fail, whatever its execution came to."""


def state(
    *,
    plan: Mapping[str, Any] | None = None,
    parts: bool = False,
    manifest: bool = False,
    is_running: bool,
    earlier: str | None = None,
) -> State:
    """Return the state of work with this plan.json, for which these objects exist. `earlier`: see `Execution`."""
    if manifest:
        return State.FINISHED
    if is_running:
        return State.RUNNING if plan else State.STARTING
    if not plan:
        return State.SKIPPED if earlier else State.REFUSED
    if plan.get("profile"):
        return State.PROFILED
    return State.UNFINISHED if parts else State.PLANNED


@dataclass(frozen=True)
class Status:
    """The status of one piece of work.

    `at`: when it was taken. `moment`: what is stored; `None` without a plan. `report`: the page's address in the S3
    console, if there is one. `workers_by_state`: the Map Run's counts; `None` before the Map. `unreadable`: plan.json
    in another form. `failures`: of workers that have committed nothing since, the newest first.
    """

    kind: Kind[Any]
    table: str
    name: str
    state: State
    at: datetime
    execution: Execution | None = None
    moment: Moment | None = None
    manifest_uri: str | None = None
    report: str | None = None
    workers_by_state: Mapping[str, int] | None = None
    unreadable: Mapping[str, Any] | None = None
    failures: Sequence[Failure] = ()

    @property
    def plan(self) -> Mapping[str, Any] | None:
        return self.moment.document if self.moment else None

    @property
    def manifest(self) -> Mapping[str, Any] | None:
        return self.moment.ending if self.moment else None

    @property
    def has_failed(self) -> bool:
        """Return whether the work is not running and did not finish. A dry run finishes with its plan."""
        if self.state.is_under_way or self.state in ENDED_WELL:
            return False
        ended_well = self.execution is None or self.execution.status == "SUCCEEDED"
        return not (self.is_dry_run and self.state is State.PLANNED and ended_well)

    @property
    def can_be_resumed(self) -> bool:
        """Return whether the work has a plan to continue and is neither running nor finished."""
        return self.plan is not None and not self.is_dry_run and self.state in {State.UNFINISHED, State.PLANNED}

    @property
    def warnings(self) -> Sequence[str]:
        """Return the warnings of Plan, as a dry run shows them."""
        plan = self.plan or {}
        warnings: Sequence[str] = (plan.get("explanation") or plan).get("warnings", ())
        return warnings

    @property
    def profile(self) -> Mapping[str, Any] | None:
        """Return the profile that Plan made, with the addresses of the profile and its page; `None` for other work."""
        return self.plan.get("profile") if self.plan else None

    @property
    def page(self) -> str | None:
        """Return the address of the page about the work: its report, or the profile's page."""
        return self.profile["page"] if self.profile else self.report

    @property
    def idle(self) -> timedelta | None:
        """Return how long no batch has been committed while workers fail; `None` if no worker fails."""
        if not self.failures or not self.state.is_under_way or self.execution is None:
            return None
        committed = self.moment and self.moment.committed
        return self.at - max(committed or self.execution.started, self.execution.started)

    @property
    def used_up(self) -> list[str]:
        """Return the fields of the budgets that ended the last execution; none if it ended otherwise."""
        execution, moment = self.execution, self.moment
        if execution is None or moment is None or execution.error != BudgetError.__name__:
            return []
        return [bound for bound in moment.plan.bounds if execution.document.get(bound) is not None]

    @property
    def counts(self) -> Counts:
        return self.moment.counts if self.moment else Counts()

    def figures(self, since: "Status | None" = None, now: datetime | None = None) -> list[Figure]:
        """Return the figures; none without a plan. `since`: of an earlier look. `now`: default: of this look."""
        running = (now or self.at) if self.state is State.RUNNING else None
        found = figures(self.moment, since.moment if since else None, running) if self.moment else []
        return [*found, *self._of_execution(now or self.at)]

    def _of_execution(self, now: datetime) -> Iterator[Figure]:
        """Yield what Step Functions knows of the work."""
        execution = self.execution
        if execution is None:
            return
        if self.state is State.STARTING:
            start = stamp(execution.started.isoformat())
            took = duration(max(0.0, (now - execution.started).total_seconds()))
            yield Figure.in_words(took, f"since {start}", "time", "time")
        yield Figure.in_words(execution.compared or "", group="proved", label="compared")
        states = ", ".join(f"{count:,} {state}" for state, count in (self.workers_by_state or {}).items() if count)
        yield Figure.in_words(states, group="execution", label="Map")
        if execution.name != self.name:
            resumed = f"{execution.name}, which resumed the {self.kind.label}"
            yield Figure.in_words(resumed, group="execution", label="execution")
        if execution.error and self.state is not State.FINISHED:
            ended = f"{execution.error} (execution {execution.status})"
            yield Figure.in_words(ended, group="execution", label="error")
            yield Figure.in_words(str(self.failures[0]) if self.failures else "", group="execution", label="cause")

    def is_done(self, progress: AnyProgress) -> bool:
        """Return whether a worker has ended: nothing is left, or its share of a budget is used up."""
        return progress.done(self._bounded_plan)

    @cached_property
    def _bounded_plan(self) -> Any:
        """The plan with the budgets of the last execution: a resume sets its own, and plan.json keeps the first."""
        plan: Any = self.moment.plan if self.moment else None
        if self.moment is None or not self.moment.resumes:
            return plan
        requested = self.execution.document if self.execution else {}
        given = {name: requested.get(name) for name in plan.bounds}
        bounds = {name: bound if isinstance(bound, int | float) else None for name, bound in given.items()}
        own = {name: bound for name, bound in bounds.items() if hasattr(plan, name)}
        if own.keys() != bounds.keys():  # a job over items has some of its budgets in the plan of its reading
            own["reading"] = replace(plan.reading, **{name: bounds[name] for name in bounds if name not in own})
        return replace(plan, **own)

    @property
    def is_dry_run(self) -> bool | None:
        """Return whether the work is a plan only, without a plan by what its input asks; `None` if unknown."""
        if self.plan is not None:
            return bool(self.plan.get("dry_run"))
        return None if self.execution is None else asks_dry_run(self.kind, self.execution)

    def to_json(self, since: "Status | None" = None) -> dict[str, Any]:
        """Return all figures, without key values. Times are ISO 8601 in UTC; counts are of committed batches."""
        execution, moment, unit = self.execution, self.moment, self.kind.unit
        times = ("started", "finished", "committed", "estimated_end")
        return {
            "kind": self.kind.label,
            "table": self.table,
            self.kind.label: self.name,
            "state": self.state,
            "dry_run": self.is_dry_run,
            **dict.fromkeys((*times, "per_second", "expected", "part_done", "dollars")),
            **dict.fromkeys((self.kind.default_count, unit, f"{unit}_left"), 0),
            **figures_to_json(self.figures(since)),
            "workers": [of_worker(moment, progress, is_done=self.is_done(progress)) for progress in moment.workers]
            if moment
            else [],
            "workers_by_state": self.workers_by_state,
            "execution": execution.to_json() if execution else None,
            "warnings": [*self.warnings],
            "failures": [form.write(failure) for failure in self.failures],
            **{name: value for name, value in (self.manifest or {}).items() if name in self.kind.named[1:]},
            "manifest": self.manifest_uri if self.manifest else None,
            "report": self.report,
            **({"profile": self.profile} if self.profile else {}),
            **({"earlier": execution.earlier} if execution and execution.earlier else {}),
        }
