"""What a copy does about a key that the new table has already: only the replicator may change it."""

import pytest

from skipscan.copy.copying import Copying, CopyOutcome, HandOver
from skipscan.copy.reconciling import PutTarget
from skipscan.dynamodb.source import Item
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import item

OLD = item("1", a="x", b="y")
NEW = item("1", a="x", b="y", made="x-y")


def copying() -> Copying:
    return Copying(copy_plan().transform, item("1"), OLD)


@pytest.mark.parametrize("existing", [OLD, item("1"), {**NEW, "more": {"S": "z"}}, None])
def test_an_item_that_differs_is_handed_to_the_replicator(existing: Item | None) -> None:
    one = copying()
    steps: list[object] = [one.step]
    one.conflicted(existing)
    steps.append(one.step)
    assert steps == [PutTarget(NEW), HandOver.HAND_OVER]
    one.handed_over()
    assert one.outcome is CopyOutcome.DIFFERING


@pytest.mark.parametrize(("is_lost", "outcome"), [(False, CopyOutcome.PRESENT), (True, CopyOutcome.COPIED)])
def test_an_item_that_is_the_same_is_present_unless_a_put_was_lost(is_lost: bool, outcome: CopyOutcome) -> None:
    one = copying()
    if is_lost:
        one.lost()
    one.conflicted(NEW)
    assert one.outcome is outcome
