"""What the state machine hands to each state, and a person who starts a function by hand makes up.

Read whole before anything is read or written. The message of a mistake shows nothing of the event: its cursors hold
key values.
"""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from skipscan.errors import InputError
from skipscan.loop.kind import Kind
from skipscan.loop.progress import Progress
from skipscan.loop.seal import check
from skipscan.loop.work import ExecutionId, Planned, Work, execution_of

P = TypeVar("P", bound=Planned)
G = TypeVar("G", bound=Progress)

# What comes of taking a document for what it is not; a cursor is packed with zlib and base64.
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, zlib.error)


@dataclass(frozen=True)
class Begun:
    """The event of a state that plans: the execution input as it was given, and the execution."""

    document: Any
    execution: ExecutionId

    @classmethod
    def of(cls, event: Mapping[str, Any], state: str) -> "Begun":
        """Return the event; raise `InputError` for a malformed one."""
        with event_of(state):
            execution = execution_of(event)
            require(all(isinstance(text, str) for text in (execution.name, execution.arn, execution.started)))
            return cls(event["input"], execution)


@dataclass(frozen=True)
class Turn(Generic[P, G]):
    """The event of a state that is turned. `progress`: of the turn before; `None` on a worker's first."""

    work: Work[P]
    worker: int
    progress: G | None


def turn_of(kind: Kind[P, G], event: Mapping[str, Any]) -> Turn[P, G]:
    """Return the event; raise `InputError` for a malformed one, `StateError` for a state of another turn."""
    with event_of(kind.states.turn):
        work, worker = _work(kind, event), event["worker"]
        require(type(worker) is int and 0 <= worker < work.plan.workers)
        state = event.get("progress")
        if state is None:
            return Turn(work, worker, None)
        check(state, work, worker)
        return Turn(work, worker, kind.progress(state, work.plan))


@dataclass(frozen=True)
class Gathered(Generic[P]):
    """The event of a state that finishes. `reports`: what every worker says it did, by worker."""

    work: Work[P]
    reports: Mapping[int, Mapping[str, Any]]


def gathered_of(kind: Kind[P, G], event: Mapping[str, Any]) -> Gathered[P]:
    """Return the event; raise `InputError` for a malformed one."""
    with event_of(kind.states.finish):
        reports = {report["worker"]: {**report} for report in event["reports"]}
        require(all(type(worker) is int for worker in reports))
        return Gathered(_work(kind, event), reports)


@dataclass(frozen=True)
class Reported:
    """The event of a state that reports: the output of finished work, of which it needs the table and the name."""

    table: str
    name: str

    @classmethod
    def of(cls, kind: Kind[Any, Any], event: Mapping[str, Any]) -> "Reported":
        """Return the event; raise `InputError` for a malformed one."""
        with event_of(kind.states.report):
            reported = cls(event["table"], event[kind.noun])
            require(isinstance(reported.table, str) and isinstance(reported.name, str))
        return reported


@dataclass(frozen=True)
class Compared:
    """Compare's event: a finished run, and the earlier one that it is compared with, if there is one."""

    table: str
    run: str
    earlier: str | None

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "Compared":
        """Return the event; raise `InputError` for a malformed one."""
        with event_of("Compare"):
            compared = cls(event["table"], event["run"], event["compare"]["run"])
            require(isinstance(compared.table, str) and isinstance(compared.run, str))
            require(compared.earlier is None or isinstance(compared.earlier, str))
        return compared


def _work(kind: Kind[P, G], event: Mapping[str, Any]) -> Work[P]:
    require("form" in event["work"])
    work = kind.work(event["work"])
    require(type(work.plan.workers) is int and work.plan.workers >= 1)
    require(isinstance(work.name, str) and isinstance(work.plan.table, str))
    require(all(bound is None or isinstance(bound, float | int) for bound in work.plan.bounds.values()))
    return work


def require(condition: bool) -> None:
    """Find the event malformed unless that holds; inside `event_of`."""
    if not condition:
        raise ValueError


@contextmanager
def event_of(state: str) -> Iterator[None]:
    """Turn what comes of a document that is no event of that state into an `InputError` that says so."""
    try:
        yield
    except MALFORMED:
        raise InputError(
            f"the event is not one that the state machine hands to {state}; a run or a job is an execution of a state "
            'machine: start one with an input like {"table": "Orders"}'
        ) from None
