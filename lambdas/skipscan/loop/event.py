"""What the state machine hands to each state, and a person who starts a function by hand makes up.

Read whole before anything is read or written. The message of a mistake shows nothing of the event: its cursors hold
key values.
"""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from skipscan.errors import InputError
from skipscan.listing.run import Run
from skipscan.loop.manifest import Report
from skipscan.loop.seal import check
from skipscan.scan.plan import Plan
from skipscan.scan.progress import Progress

# What comes of taking a document for what it is not; a cursor is packed with zlib and base64.
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, zlib.error)


@dataclass(frozen=True)
class Begun:
    """Plan's event: the execution input as it was given, and the execution."""

    document: Any
    run: str
    execution: str
    started: str

    @classmethod
    def from_json(cls, event: Mapping[str, Any]) -> Self:
        """Return the event; raise `InputError` for a malformed one."""
        with event_of("Plan"):
            begun = cls(event["input"], event["run"], event["execution"], event["started"])
            require(all(isinstance(text, str) for text in (begun.run, begun.execution, begun.started)))
        return begun


@dataclass(frozen=True)
class Turn:
    """Scan's event. `progress`: of the turn before; `None` on a worker's first."""

    run: Run
    worker: int
    progress: Progress | None

    @classmethod
    def from_json(cls, event: Mapping[str, Any]) -> Self:
        """Return the event; raise `InputError` for a malformed one, `StateError` for a state of another turn."""
        with event_of("Scan"):
            run, worker = _run(event), event["worker"]
            require(type(worker) is int and 0 <= worker < run.plan.workers)
            standing = event.get("progress")
            if standing is not None:
                check(standing, run, worker)
            return cls(run, worker, None if standing is None else Progress.from_json(standing, run.plan))


@dataclass(frozen=True)
class Gathered:
    """Finish's event: what every worker says it did."""

    run: Run
    reports: tuple[Report, ...]

    @classmethod
    def from_json(cls, event: Mapping[str, Any]) -> Self:
        """Return the event; raise `InputError` for a malformed one."""
        with event_of("Finish"):
            return cls(_run(event), tuple(Report.from_json(report) for report in event["reports"]))


@dataclass(frozen=True)
class Compared:
    """Compare's event: a finished run, and the earlier one that it is compared with, if there is one."""

    table: str
    run: str
    earlier: str | None

    @classmethod
    def from_json(cls, event: Mapping[str, Any]) -> Self:
        """Return the event; raise `InputError` for a malformed one."""
        with event_of("Compare"):
            compared = cls(event["table"], event["run"], event["compare"]["run"])
            require(isinstance(compared.table, str) and isinstance(compared.run, str))
            require(compared.earlier is None or isinstance(compared.earlier, str))
        return compared


def _run(event: Mapping[str, Any]) -> Run:
    run = Run.from_json(event["run"])
    _check_numbers(run.plan)
    require(isinstance(run.name, str) and isinstance(run.plan.source.table, str))
    return run


def _check_numbers(plan: Plan) -> None:
    require(type(plan.workers) is int and type(plan.segments) is int and 1 <= plan.workers <= plan.segments)
    bounds = (plan.item_bytes, plan.max_read_units_per_second or 1.0, plan.max_read_units or 1.0)
    require(all(isinstance(bound, float | int) for bound in bounds))


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
