"""The keeper over every order of steps that there is, and over none of which it may fail."""

import pytest

from skipscan.markers import keeper
from skipscan.markers.keeper import keep
from tests.unit.markers.keeper.model import Model, next_step

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A keeper gives up early, so that there are fewer states; what it left is delivered again, and again."""
    monkeypatch.setattr(keeper, "ROUNDS", 1)
    next_step.cache_clear()


def test_no_order_of_steps_leaves_a_wrong_marker() -> None:
    assert Model(keep, items=("!",)).wrong() is None


@pytest.mark.long
def test_no_order_of_steps_leaves_a_wrong_marker_among_two_items() -> None:
    assert Model(keep).wrong() is None


@pytest.mark.parametrize("theirs", ["unmarked", pytest.param("extended", marks=pytest.mark.long)])
def test_no_order_of_steps_deletes_a_marker_that_is_not_the_keeper_s_own(theirs: str) -> None:
    assert Model(keep, items=("!",), theirs=(theirs,)).wrong() is None


@pytest.mark.long
def test_keepers_that_do_not_crash_need_no_events_of_their_own_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "ROUNDS", 2)  # so that a second look may be followed by a write
    assert Model(keep, items=("!",), crashes=False, hands=False, events=False).wrong() is None
