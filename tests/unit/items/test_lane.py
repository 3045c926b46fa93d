"""Items of a page are begun one by one, as threads ask for them, and the cursor passes what has ended."""

from enum import StrEnum

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import ItemSteps, Wait
from skipscan.items.lane import Lane, Unit
from skipscan.items.progress import ItemResult
from skipscan.scan.cursor import Cursor


class Outcome(StrEnum):
    DONE = "done"


def key(number: int) -> Item:
    return {"id": {"N": str(number)}}


def lane(begun: list[Unit], cursor: Cursor) -> Lane:
    """Return a lane whose items have one step each, their key, but for those that are `right`."""

    def work(item: Item) -> ItemSteps:
        if "right" not in item:
            yield item
        return ItemResult(item, Outcome.DONE)

    def begin(item: Item) -> Unit:
        begun.append(Unit(work(item), lambda: 0.0))
        return begun[-1]

    return Lane(cursor, begin)


def taken(items: Lane) -> Unit:
    unit = items.take()
    assert unit is not None
    return unit


def test_a_lane_goes_on_behind_the_last_item_of_its_page() -> None:
    """DynamoDB may return a page without items, and a LastEvaluatedKey behind the last item."""
    made = lane([], Cursor(7, key(3), skipping=False))
    assert (made.segment, made.start_key, made.needs_page, made.take()) == (7, key(3), True, None)
    made.receive(Page([], key(5), 0.5))
    assert (made.start_key, made.needs_page, made.is_finished) == (key(5), True, False)
    made.receive(Page([key(6), key(7)], key(8), 0.5))
    assert made.needs_page is False
    for _ in range(2):
        taken(made).go_on(None)
    assert list(made.passed()) == [ItemResult(key(number), Outcome.DONE) for number in (6, 7)]
    assert made.cursor == Cursor(7, key(8), skipping=False)
    assert (made.needs_page, made.is_finished) == (True, False)
    made.receive(Page([], None, 0.5))
    assert (made.needs_page, made.is_finished) == (False, True)


def test_an_item_that_waits_has_its_next_step_and_the_time_before_which_it_must_not_begin() -> None:
    def work() -> ItemSteps:
        yield "first"
        yield Wait(5.0)
        yield "second"
        return ItemResult(key(1), Outcome.DONE)

    unit = Unit(work(), lambda: 100.0)
    assert (unit.step, unit.not_before) == ("first", 0.0)
    assert unit.go_on(None) is True
    assert (unit.step, unit.not_before) == ("second", 105.0)
    assert unit.go_on(None) is False
    assert (unit.step, unit.result) == (None, ItemResult(key(1), Outcome.DONE))
