"""The product with one safeguard removed: what the schedules must notice."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from skipscan.aws import function
from skipscan.aws.bucket import Bucket
from skipscan.loop import finish, turn
from skipscan.loop.results import Results
from skipscan.scan.batch import Batch
from skipscan.scan.cursor import Cursor
from skipscan.scan.walk import Walk
from tests.faults.functions import functions


@dataclass(frozen=True)
class Change:
    """Texts of a function, and what they are replaced by. `owner`: the class or module that has the function."""

    owner: Callable[[], Any]
    function: str
    edits: tuple[tuple[str, str], ...]

    def mutated(self) -> Any:
        """Return the function as it reads then."""
        found = inspect.getattr_static(self.owner(), self.function)
        function = inspect.unwrap(getattr(found, "__func__", found))
        source = dedent(inspect.getsource(function))
        for old, new in self.edits:
            assert source.count(old) == 1, f"{self.function} reads otherwise now: {old}"
            source = source.replace(old, new)
        names: dict[str, Any] = {}
        exec(compile(source, f"<{self.function}, mutated>", "exec"), function.__globals__, names)  # noqa: S102  # it is our own source
        return names[self.function]


def _change(owner: Any, function: str, *edits: tuple[str, str]) -> Change:
    return Change(lambda: owner, function, edits)


CHECKPOINT = "self.storage.put(self.layout.checkpoint(worker, batch, attempt), written, expires=True)"
COMMIT = "if self.storage.put_once(self.layout.part(worker, batch), body, metadata):"
PUT = "if self.storage.put_once(name, _indented(document)):"
MARK = "self._skipping, self.skip_ignored = False, True"

MUTANTS = {
    "conditional write": [_change(Bucket, "put_once", ('IfNoneMatch="*",', ""))],
    "adoption": [_change(Results, "commit", (COMMIT, f"{COMMIT}\n        pass\n    if True:"))],
    "checkpoint before the part": [
        _change(Results, "commit", (CHECKPOINT, "pass"), (COMMIT, f"{COMMIT}\n        {CHECKPOINT}"))
    ],
    "guard against ignored skips": [_change(Walk, "receive", (MARK, "pass"))],
    "next batch number": [_change(turn, "_counted", ("batch=reached.batch + 1", "batch=reached.batch + 2"))],
    "proof that every worker came to its end": [
        _change(finish, "prove", ("if not progress.done(plan):", "if False:")),
        _change(finish, "manifest", ("sum(progress.left(plan) for progress in reached)", "0")),
    ],
    "documents that are put once": [
        _change(Results, "_put_once", (PUT, "self.storage.put(name, _indented(document))\n    if True:"))
    ],
    "plan that stands": [_change(Results, "plan", ("self._get(self.layout.plan)", "None"))],
    "look at what is stored in a first turn": [
        _change(function, "take_turn", ("results.reached(turn.worker)", "None"))
    ],
    "seal": [Change(lambda: functions().scan, "turn_of", (("check(state, work, worker)", "pass"),))],
    "walk of a failed page": [_change(Batch, "fail", ("self._idle.append(walk)", "self._walks.remove(walk)"))],
    "count of pages that came": [_change(Batch, "fail", ("throttles=1", "throttles=1, requests=1"))],
    "key reported before": [_change(Cursor, "from_json", ('document.get("reported", False)', "False"))],
}
"""By the safeguard that is missing: the product without it."""

SHOWN_BY: dict[str, dict[str, Any]] = {
    "guard against ignored skips": {"honours_skips": False, "table": "Mixed"},
    "documents that are put once": {"plan_calls": 2},
    "walk of a failed page": {"batch_pages": 50},
    "count of pages that came": {"batch_pages": 50},
}
"""By the safeguard: the settings in which schedules notice soonest that it is missing."""

SEEDS = {"walk of a failed page": 3, "count of pages that came": 3}
"""By the safeguard: a seed whose first schedules notice soon that it is missing; 1 where that makes no difference."""
