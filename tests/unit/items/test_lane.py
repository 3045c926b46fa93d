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


def lane_of(begun: list[Unit], items: int = 4) -> Lane:
    made = lane(begun, Cursor(0, None, skipping=False))
    made.receive(Page([key(number) for number in range(items)], None, 0.5))
    return made


def taken(items: Lane) -> Unit:
    unit = items.take()
    assert unit is not None
    return unit


def test_every_thread_gets_an_item_and_no_other_is_begun() -> None:
    begun: list[Unit] = []
    items = lane_of(begun)
    assert [items.take() for _ in range(3)] == begun
    assert [unit.step for unit in begun] == [key(0), key(1), key(2)]


def test_items_with_nothing_to_do_hold_back_none_behind_them() -> None:
    items = lane([], Cursor(0, None, skipping=False))
    right = {**key(1), "right": {"BOOL": True}}
    items.receive(Page([key(0), right, right, key(2)], None, 0.5))
    assert [taken(items).step for _ in range(2)] == [key(0), key(2)]


def test_the_cursor_passes_what_has_ended_before_the_first_that_has_not() -> None:
    begun: list[Unit] = []
    items = lane_of(begun)
    first, second, third = (taken(items) for _ in range(3))
    first.go_on(None)
    third.go_on(None)
    assert [result.key for result in items.passed()] == [key(0)]
    assert items.cursor == Cursor(0, key(0), skipping=False), "every item is read, so no rest is skipped"
    items.give_back(second)
    assert items.take() is second
    items.give_back(second, waits=True)
    assert items.take() is begun[3] is not second
    assert items.take() is second
    for each in (second, begun[3]):
        each.go_on(None)
    assert [result.key for result in items.passed()] == [key(1), key(2), key(3)]
    assert (items.is_finished, items.needs_page) == (True, False)


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
