"""The events of the states: from the state machine, or from a person who invokes a function by hand.

An event is checked completely before anything is read or written. Error messages quote nothing of it: its cursors hold
key values.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic

from skipscan import form
from skipscan.errors import OMITTED, InputError, intact
from skipscan.loop.kind import IN_CHECKPOINT, AnyProgress, Kind, P
from skipscan.loop.work import ExecutionId, Work, check_seal, execution_of


def start_of(event: Mapping[str, Any], state: str) -> tuple[Any, ExecutionId]:
    """Return the execution input, unchanged, and the execution; raise `InputError` for a malformed event."""
    with event_of(state):
        return event["input"], execution_of(event)


Reports = Mapping[int, Mapping[str, Any]]
"""What workers reported at their end, by worker."""


@dataclass(frozen=True)
class TurnEvent(Generic[P]):
    """The event of a state in the loop.

    `progress`: of the turn before; `None` in a worker's first turn, and if only the checkpoint of the batch `after`
    holds it.
    """

    work: Work[P]
    worker: int
    progress: AnyProgress | None
    after: int | None = None


def turn_of(kind: Kind[P], event: Mapping[str, Any]) -> TurnEvent[P]:
    """Return the event; raise `InputError` for a malformed one, `StateError` for the state of another turn."""
    with event_of(kind.states["turn"]):
        work, worker = _work(kind, event), form.member(int, event, "worker")
        require(0 <= worker < work.plan.workers)
        state = event.get("progress")
        if state is None:
            return TurnEvent(work, worker, None)
        check_seal(state, work, worker)
        if IN_CHECKPOINT in state:
            return TurnEvent(work, worker, None, after=state["batch"] - 1)  # the state has the number of the next batch
        return TurnEvent(work, worker, kind.progress(state, work.plan))


def gathered_of(kind: Kind[P], event: Mapping[str, Any]) -> tuple[Work[P], Reports]:
    """Return the work, and what each worker reported; raise `InputError` for a malformed event."""
    with event_of(kind.states["finish"]):
        # {**report} fails for anything but an object.
        reports = {form.member(int, report, "worker"): {**report} for report in event["reports"]}
        return _work(kind, event), reports


def reported_of(kind: Kind[Any], event: Mapping[str, Any]) -> tuple[str, str]:
    """Return table and name of finished work, by its output; raise `InputError` for a malformed event."""
    with event_of(kind.states["report"]):
        return form.member(str, event, "table"), form.member(str, event, kind.label)


def compared_of(event: Mapping[str, Any]) -> tuple[str, str, str | None]:
    """Return the table, a finished run and the earlier run to compare it with, if there is one.

    Raises `InputError` for a malformed event.
    """
    with event_of("Compare"):
        earlier = event["compare"]["run"]
        require(isinstance(earlier, str | None))
        return form.member(str, event, "table"), form.member(str, event, "run"), earlier


def _work(kind: Kind[P], event: Mapping[str, Any]) -> Work[P]:
    # Without a form it is no work at all, rather than that of another version.
    require("form" in event["work"])
    work = kind.work(event["work"])
    require(work.plan.workers >= 1)
    return work


def require(condition: bool) -> None:
    """Inside `event_of`: declare the event malformed unless the condition holds."""
    if not condition:
        raise ValueError


@contextmanager
def event_of(state: str) -> Iterator[None]:
    """Raise `InputError` in place of any error that a malformed event of this state causes."""
    refusal = InputError(
        "the event",
        OMITTED,
        f"is not one that the state machine sends to {state}; runs and jobs are executions of a state machine",
        'start an execution with an input like {"table": "Orders"}',
    )
    with intact(refusal):
        yield
