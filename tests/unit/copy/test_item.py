"""What a copy does about a key that the new table has already, and what it takes for a difference."""

from collections.abc import Sequence

import pytest

from skipscan.copy.item import CopyOutcome, HandOver, compare, copy_item
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import LOST, WRITTEN, Conflict, Get, ItemSteps, Wait, Write
from skipscan.items.progress import ItemResult
from tests.fakes.small_table import copy_plan, item

KEY = item("1")
OLD = item("1", a="x", b="y")
NEW = item("1", a="x", b="y", made="x-y")
REPLICA = copy_plan().replica
PUT = Write("arn:target", KEY, put=NEW, expects={"id": None})
SOURCE, TARGET = Get("arn:source", KEY), Get("arn:target", KEY)


def answered(work: ItemSteps, *answers: object) -> tuple[list[object], ItemResult | None]:
    """Return the steps that were answered so, and the result if they were the last ones."""
    steps = [next(work)]
    try:
        for answer in answers:
            steps.append(work.send(answer))
    except StopIteration as end:
        return steps, end.value
    return steps, None


@pytest.mark.parametrize("existing", [OLD, item("1"), {**NEW, "more": {"S": "z"}}, None])
def test_an_item_that_differs_is_handed_to_the_replicator(existing: Item | None) -> None:
    """Only the replicator may change it."""
    steps, result = answered(copy_item(REPLICA, KEY, OLD), Conflict(existing), LOST, None)
    assert steps == [PUT, HandOver(KEY), HandOver(KEY)]
    assert result == ItemResult(KEY, CopyOutcome.DIFFERING)


@pytest.mark.parametrize(("lost", "outcome"), [([], CopyOutcome.PRESENT), ([LOST], CopyOutcome.COPIED)])
def test_an_item_that_is_the_same_is_present_unless_a_put_was_lost(lost: list[object], outcome: CopyOutcome) -> None:
    steps, result = answered(copy_item(REPLICA, KEY, OLD), *lost, Conflict(NEW))
    assert (steps, result) == ([PUT] * (1 + len(lost)), ItemResult(KEY, outcome))


def test_an_item_that_no_template_fits_is_copied_as_it_is_with_the_reason() -> None:
    unfit = item("1", a="x")
    steps, result = answered(copy_item(REPLICA, KEY, unfit), WRITTEN)
    assert steps == [Write("arn:target", KEY, put=unfit, expects={"id": None})]
    assert result is not None
    assert (result.outcome, result.reason) == (CopyOutcome.COPIED, "b is lacking")


Pair = Sequence[Item | None]


def compared(*pairs: Pair) -> tuple[list[object], ItemResult | None]:
    """Return the steps of a comparison that finds these items of both tables, and passes its pause."""
    answers = list(pairs[0]) + [answer for pair in pairs[1:] for answer in (None, *pair)]
    return answered(compare(REPLICA, KEY, counts_only=False), *answers)


@pytest.mark.parametrize(
    ("pair", "outcome"),
    [((OLD, None), CopyOutcome.MISSING), ((None, NEW), CopyOutcome.SURPLUS), ((OLD, OLD), CopyOutcome.DIFFERENT)],
)
def test_a_pair_that_differs_counts_if_it_does_so_again_after_a_pause(pair: Pair, outcome: CopyOutcome) -> None:
    """The replicator is some seconds behind."""
    steps = [SOURCE, TARGET, Wait(5.0), SOURCE, TARGET]
    assert compared(pair, (OLD, NEW)) == (steps, ItemResult(KEY, CopyOutcome.SAME))
    again, result = compared(pair, pair)
    assert (again, result and result.outcome, bool(result and result.reason)) == (steps, outcome, True)
