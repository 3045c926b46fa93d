"""No writer harms the application in a way that its documentation does not name: random schedules.

`make test` runs the same ones every time, `make test-all` others each time, and `make soak` 20,000.
"""

from collections import Counter

import pytest

from tests.house.suite.examples import ALL
from tests.simulation.histories.run import COPIES, schedules
from tests.simulation.histories.world import CHANCES

pytestmark = pytest.mark.slow

FAULTS = (
    *(fault.value for fault in CHANCES),
    *("landed", "again", "zombie", "killed", "time passes", "late look"),
)
TOLD = {
    "put": ("put again, for no commit held it", "put where the application had deleted another"),
    "put if it lives": ("the collection ended between look and put",),
    "overwrite": ("overwritten, as was said", "put again, for no commit held it"),
    "delete": ("deleted, for no commit held it",),
    "delete if": ("deleted, for it met the condition",),
    "invoke": ("keys came again", "listed as failed"),
    "send": ("keys came again", "listed as failed"),
    "delete listed": ("deleted as it was listed", "attribute added between look and delete"),
    "trim": ("deleted as it was listed", "attribute added between look and delete"),
    "put back": ("put where the key was free",),
    "undo": ("attribute added between look and delete",),
    "marker keeper": ("a marker was put",),
    "retrofit": ("the target was set",),
    "attribute keeper": ("the target was set",),
    "rename": ("an attribute was renamed",),
    "renaming keeper": ("an attribute was renamed",),
}


@pytest.fixture
def first(pytestconfig: pytest.Config) -> int:
    """The seed of the first schedule."""
    return pytestconfig.getoption("randomly_seed", 0) % 1_000_000 if ALL else 0


def test_no_schedule_harms_what_was_not_acknowledged(first: int) -> None:
    """First the same ones every time, until they have met every fault: the rarest comes once in some hundred."""
    happened = schedules(100, 0)
    for begin in range(100, 600, 50):
        if _missing(happened):
            happened += schedules(50, begin)
    assert _missing(happened) == []
    schedules(540 if ALL else 0, first)


def _missing(happened: Counter[str]) -> list[str]:
    """Return the faults and the kinds of work that no schedule met yet."""
    met = {what.partition(": ")[0] for what in happened}
    return [fault for fault in FAULTS if not happened[fault]] + [kind for kind in TOLD if kind not in met]


def test_the_new_table_is_what_the_old_one_becomes(first: int) -> None:
    """With every late look; and without late looks if no invocation dies and no copied item is deleted."""
    schedules(240 if ALL else 24, first, COPIES)


@pytest.mark.long
@pytest.mark.parametrize("kind", TOLD)
def test_the_documented_harm_happens(kind: str) -> None:
    """An exception that never happens would hide what it should not. Ends when each has happened."""
    missing = set(TOLD[kind])
    for first in range(0, 1500, 50):
        happened = schedules(50, first, (kind,))
        missing -= {reason for reason in TOLD[kind] if happened[f"{kind}: {reason}"]}
        if not missing:
            return
    pytest.fail(f"never happened: {sorted(missing)}")
