"""A pair that differs is read again after a pause, because the replicator is some seconds behind."""

import pytest

from skipscan.copy.copying import Comparing, CopyOutcome
from skipscan.copy.reconciling import LookAt, Side
from skipscan.dynamodb.source import Item
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import item

KEY = item("1")
OLD = item("1", a="x", b="y")
NEW = item("1", a="x", b="y", made="x-y")


def compared(*pairs: tuple[Item | None, Item | None]) -> Comparing:
    """Return a key's comparison after looks at both tables, each at its time."""
    one, now = Comparing(copy_plan().transform, KEY, counts_only=False), 100.0
    for source, target in pairs:
        now = max(now, one.not_before)
        for side, found in ((Side.SOURCE, source), (Side.TARGET, target)):
            assert (one.step, one.outcome) == (LookAt(side), None)
            one.found(found, now)
    return one


def test_the_first_look_waits_for_nothing() -> None:
    assert Comparing(copy_plan().transform, KEY, counts_only=False).not_before == 0.0


@pytest.mark.parametrize("pair", [(OLD, NEW), (None, None)])
def test_a_pair_that_agrees_is_read_once(pair: tuple[Item | None, Item | None]) -> None:
    assert compared(pair).outcome is CopyOutcome.SAME


@pytest.mark.parametrize("pair", [(OLD, None), (None, NEW), (OLD, OLD)])
def test_a_pair_that_differs_is_read_again_after_a_pause(pair: tuple[Item | None, Item | None]) -> None:
    one = compared(pair)
    assert (one.outcome, one.step, one.not_before) == (None, LookAt(Side.SOURCE), 105.0)
    assert compared(pair, (OLD, NEW)).outcome is CopyOutcome.SAME


@pytest.mark.parametrize(
    ("pair", "outcome"),
    [
        ((OLD, None), CopyOutcome.MISSING),
        ((None, NEW), CopyOutcome.SURPLUS),
        ((OLD, OLD), CopyOutcome.DIFFERENT),
    ],
)
def test_a_pair_that_differs_twice_counts(pair: tuple[Item | None, Item | None], outcome: CopyOutcome) -> None:
    one = compared(pair, pair)
    assert (one.outcome, one.step, bool(one.reason)) == (outcome, None, True)
