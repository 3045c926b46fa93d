"""Ties a worker's state to the turn that returned it.

The states that finish prove what is stored on S3. They cannot see that a state was changed between two turns: a segment
marked as walked, a cursor of another worker or run would give wrong keys with counts that agree. So every state has a
seal: a digest of the state, its run or job, and its plan. The seal prevents mistakes, not forgery: anybody who can
invoke a worker with a state can also read and write the tables.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from skipscan.errors import OMITTED, StateError, give
from skipscan.loop.work import Work

RESUMED_ANEW = (
    "max_read_units_per_second",
    "max_units_per_second",
    "max_write_units_per_second",
    "max_read_units",
    "max_write_units",
    "max_dollars",
    "prices",
)
"""The fields of a plan that may change when a run or job is resumed, here or in the plan of reading within it."""


def sealed(state: Mapping[str, Any], work: Work[Any]) -> dict[str, Any]:
    """Return a worker's state with its seal, as JSON."""
    return {**state, "seal": _seal(state, work)}


def check_seal(state: Mapping[str, Any], work: Work[Any], worker: int) -> None:
    """Raise `StateError` unless a turn of this worker returned the state, in this run or job."""
    bare = {name: value for name, value in state.items() if name != "seal"}
    if state.get("seal") != _seal(bare, work) or state.get("worker") != worker:
        raise StateError(
            f"worker {worker}",
            OMITTED,
            f"received a state that none of its turns in this {work.noun} returned",
            ("continue from the files on S3 with ", give("resume", work.name)),
        )


def _seal(state: Mapping[str, Any], work: Work[Any]) -> str:
    plan = _fixed(work.plan.to_json())
    # Normalize numbers, because another JSON writer may write 1.0 as 1.
    plain = json.loads(json.dumps([*astuple(work.execution), plan, state]), parse_float=_figure)
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]


def _fixed(plan: Mapping[str, Any]) -> dict[str, Any]:
    fixed = {name: value for name, value in plan.items() if name not in RESUMED_ANEW}
    return fixed | {"reading": _fixed(plan["reading"])} if "reading" in plan else fixed


def _figure(digits: str) -> int | str:
    value = float(digits)
    return int(value) if value.is_integer() else f"{value:.9g}"
