"""The product with one safeguard removed: what the schedules must notice."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from skipscan.aws.results import Results
from skipscan.loop import manifest
from skipscan.loop.event import Turn
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


def _results() -> Any:
    return Results


def _batch() -> Any:
    return Batch


def _finish() -> Any:
    return functions().finish


def _scan() -> Any:
    return functions().scan


def _change(owner: Callable[[], Any], function: str, *edits: tuple[str, str]) -> Change:
    return Change(owner, function, edits)


CHECKPOINT = (
    "self._put_json(self._layout.checkpoint(worker, batch, attempt), progress, dump=_short, Tagging=CHECKPOINT_TAG)"
)
PLAN_ONCE = "return self._put_json_once(self._layout.plan, run)"
PLAN_ALWAYS = "self._put_json(self._layout.plan, run)\n    return run"
MANIFEST_ONCE = "return self._put_json_once(self._layout.manifest, manifest)"
MANIFEST_ALWAYS = "self._put_json(self._layout.manifest, manifest)\n    return manifest"
MARK = "self._skipping, self.skip_ignored = False, True"

MUTANTS = {
    "conditional write": [_change(_results, "_put_once", (' IfNoneMatch="*",', ""))],
    "adoption": [_change(_results, "commit", ("if was_first:", "if True:"))],
    "checkpoint before the part": [
        _change(_results, "commit", (CHECKPOINT, "pass"), ("if was_first:", f"{CHECKPOINT}\n    if was_first:"))
    ],
    "guard against ignored skips": [_change(lambda: Walk, "receive", (MARK, "pass"))],
    "commit of the last batch": [
        _change(_scan, "_turned", ("if not part.keys and not reached.done(plan):", "if not part.keys:"))
    ],
    "next batch number": [_change(_scan, "_turned", ("batch=progress.batch + 1", "batch=progress.batch + 2"))],
    "proof that no segment is left": [
        _change(lambda: manifest, "prove", ("if not progress.done(run.plan):", "if False:")),
        _change(_finish, "handler", ("sum(progress.segments_left(run.plan) for progress in reached)", "0")),
    ],
    "plan that is put once": [_change(_results, "put_plan", (PLAN_ONCE, PLAN_ALWAYS))],
    "plan that stands": [_change(_results, "plan", ("self._get_if_there(self._layout.plan)", "None"))],
    "manifest that is put once": [_change(_results, "put_manifest", (MANIFEST_ONCE, MANIFEST_ALWAYS))],
    "look at S3 in a first turn": [_change(_scan, "handler", ("results.reached(turn.worker)", "None"))],
    "seal": [_change(lambda: Turn, "from_json", ("check(standing, run, worker)", "pass"))],
    "walk of a failed page": [_change(_batch, "fail", ("self._idle.append(walk)", "self._walks.remove(walk)"))],
    "count of pages that came": [_change(_batch, "fail", ("throttles=1", "throttles=1, requests=1"))],
    "key reported before": [_change(lambda: Cursor, "from_json", ('document.get("reported", False)', "False"))],
}
"""By the safeguard that is missing: the product without it."""

SHOWN_BY: dict[str, dict[str, Any]] = {
    "guard against ignored skips": {"honours_skips": False, "table": "Mixed"},
    "plan that is put once": {"plan_calls": 2},
    "walk of a failed page": {"batch_pages": 50},
    "count of pages that came": {"batch_pages": 50},
}
"""By the safeguard: the settings in which schedules notice soonest that it is missing."""

SEEDS = {"walk of a failed page": 3, "count of pages that came": 3}
"""By the safeguard: a seed whose first schedules notice soon that it is missing; 1 where that makes no difference."""
