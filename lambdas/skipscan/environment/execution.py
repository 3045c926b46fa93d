"""One execution of a state machine, as Step Functions knows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from skipscan.inputs.names import is_run_name
from skipscan.inputs.quantities import counted
from skipscan.listing.fields import LEVEL
from skipscan.listing.scope import line_labels
from skipscan.loop.kind import Failure, Kind
from skipscan.loop.reader import execution_link


@dataclass(frozen=True)
class Execution:
    """An execution of a state machine. `document`: its input. `status`: as Step Functions names it.

    `output`: of a succeeded execution.
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
    def link(self) -> str | None:
        """Return the page of the execution in the Step Functions console; `None` if the console is unknown."""
        return execution_link(self.arn)

    def to_json(self) -> dict[str, Any]:
        """Return the execution without its input, output and cause, which may hold key values."""
        return {"name": self.name, "arn": self.arn, "status": self.status, "error": self.error, "link": self.link}

    @property
    def earlier(self) -> str | None:
        """Return the run that was still running, so that this one was skipped; `None` if this one was not."""
        output = self.output or {}
        return output["earlier"] if output.get("skipped") is True else None

    @property
    def has_failed_worker(self) -> bool:
        """Return whether a child of the Map failed."""
        # Developer guide, "Tolerated failure threshold for Distributed Map state".
        return self.error == "States.ExceedToleratedFailureThreshold"

    @property
    def changes(self) -> Mapping[str, Any] | None:
        """Return what the output of a run says of its comparison with an earlier run; `None` without one."""
        return (self.output or {}).get("diff")

    @property
    def has_changed(self) -> bool | None:
        """Return whether a comparison found new or vanished keys; `None` if the runs were not compared."""
        diff = self.changes
        if diff is None or diff["outcome"] != "compared":
            return None
        return bool(diff["new_keys"] or diff["vanished_keys"])

    @property
    def compared(self) -> str | None:
        """Return the comparison for people: 12 new keys, 3 vanished since monday; of a run with a level, groups."""
        diff = self.changes
        if diff is None:
            return None
        if diff["outcome"] != "compared":
            return f"{'nothing to compare with' if diff['outcome'] == 'first' else 'not compared'}: {diff['reason']}"
        has_level = any(self.document.get(name) for name in LEVEL)
        labels = line_labels(has_level=has_level, has_items=False)
        new = counted(diff["new_keys"], f"new {labels.removesuffix('s')}")
        return f"{new}, {diff['vanished_keys']:,} vanished since {diff['old']}"

    @property
    def is_running(self) -> bool:
        return self.status in {"RUNNING", "PENDING_REDRIVE"}

    @property
    def work(self) -> str:
        """Return the name of the work: the execution's own, or the one it resumes, unless Plan refuses that name."""
        resume = self.document.get("resume")
        return resume if isinstance(resume, str) and is_run_name(resume) else self.name


def asks_dry_run(kind: Kind[Any], execution: Execution) -> bool | None:
    """Return whether an execution's input asks for a plan only; `None` for a value that Plan refuses.

    A job only plans by default, but never when it resumes one. A null counts as missing, as for Plan.
    """
    requested = execution.document.get("dry_run")
    if requested is None:
        return not kind.lists_keys and execution.document.get("resume") is None
    return requested if isinstance(requested, bool) else None


def ending(execution: Execution | None, failures: Sequence[Failure]) -> str:
    """Return how an execution ended that has no error in words. `failures`: of its workers, the newest first."""
    if execution is None:
        return "no execution is running"
    if execution.has_failed_worker:
        unknown = f"{execution.error}: a worker failed; the Map Run, linked from the execution, shows its error"
        return str(failures[0]) if failures else unknown
    return execution.error or f"its execution is {execution.status}"
