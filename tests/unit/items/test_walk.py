"""Items of a page are begun one by one, as threads ask for them, and the cursor passes what is settled."""

from dataclasses import dataclass
from enum import StrEnum

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.items.walk import ItemWalk, Settled
from skipscan.scan.cursor import Cursor


class Outcome(StrEnum):
    DONE = "done"


@dataclass
class Steps:
    key: Item
    step: str | None = "write"
    outcome: Outcome | None = None
    reason: str = ""
    seen: Item | None = None

    def settle(self) -> None:
        self.step, self.outcome = None, Outcome.DONE


def key(number: int) -> Item:
    return {"id": {"N": str(number)}}


def walk(begun: list[Steps], items: int = 4) -> ItemWalk[Steps]:
    def begin(item: Item) -> Steps:
        begun.append(Steps(item))
        return begun[-1]

    made = ItemWalk(Cursor(0, None, skipping=False), begin)
    made.receive(Page([key(number) for number in range(items)], None, 0.5))
    return made


def test_every_thread_gets_an_item_and_no_other_is_begun() -> None:
    begun: list[Steps] = []
    items = walk(begun)
    taken = [items.take() for _ in range(3)]
    assert taken == begun
    assert [steps.key for steps in begun] == [key(0), key(1), key(2)]


def test_the_cursor_passes_what_is_settled_before_the_first_that_is_not() -> None:
    begun: list[Steps] = []
    items = walk(begun)
    first, second, third = (items.take() for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    first.settle()
    third.settle()
    assert [settled.key for settled in items.settled()] == [key(0)]
    assert items.cursor == Cursor(0, key(0), skipping=False), "every item is read, so no rest is skipped"
    items.give_back(second)
    assert items.take() is second
    items.put_off(second)
    assert items.take() is begun[3] is not second
    assert items.take() is second
    for each in (second, begun[3]):
        each.settle()
    assert [settled.key for settled in items.settled()] == [key(1), key(2), key(3)]
    assert (items.finished, items.wants_page) == (True, False)


def test_a_walk_goes_on_behind_the_last_item_of_its_page() -> None:
    """DynamoDB may return a page without items, and a LastEvaluatedKey behind the last item."""
    begun: list[Steps] = []

    def begin(item: Item) -> Steps:
        begun.append(Steps(item))
        return begun[-1]

    made = ItemWalk(Cursor(7, key(3), skipping=False), begin)
    assert (made.segment, made.start_key, made.wants_page, made.take()) == (7, key(3), True, None)
    made.receive(Page([], key(5), 0.5))
    assert (made.start_key, made.wants_page, made.finished) == (key(5), True, False)
    made.receive(Page([key(6), key(7)], key(8), 0.5))
    assert made.wants_page is False
    for _ in range(2):
        taken = made.take()
        assert taken is not None
        taken.settle()
    assert list(made.settled()) == [Settled(key(number), Outcome.DONE, "") for number in (6, 7)]
    assert made.cursor == Cursor(7, key(8), skipping=False)
    assert (made.wants_page, made.finished) == (True, False)
    made.receive(Page([], None, 0.5))
    assert (made.wants_page, made.finished) == (False, True)
