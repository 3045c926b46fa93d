"""Pages that go in a circle are detected, whatever its length; progressing pages are not."""

from typing import Any

import pytest

from skipscan.dynamodb.page import MOST_REPEATS, Page, Progression
from skipscan.dynamodb.source import Item, Source
from skipscan.errors import TableError
from skipscan.items.lane import Lane
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Groups
from skipscan.scan.walk import Walk
from tests.fakes.pair import copy_plan


def key(number: int) -> Item:
    return {"id": {"S": f"secret-{number}"}}


@pytest.mark.parametrize("begins", [0, 1, 5, 40])
@pytest.mark.parametrize("length", [1, 2, 3, 7, 50])
def test_a_circle_of_any_length_is_met(begins: int, length: int) -> None:
    progression, most_pages = Progression(), 4 * (begins + (MOST_REPEATS + 1) * length) + 8

    def follow() -> None:
        for page in range(most_pages):
            progression.check(key(page if page < begins else begins + (page - begins) % length))

    with pytest.raises(TableError) as refused:
        follow()
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("kind", [Walk, Lane])
def test_no_walk_follows_pages_that_go_in_a_circle(kind: Any) -> None:
    source: Source = copy_plan().reading.source
    turns: list[Item] = [{source.key[0].name: {"S": text}} for text in ("a", "b", "c")]
    begun = Cursor(0, skipping=False)
    walk = Walk(Groups(source), begun) if kind is Walk else kind(begun, lambda _: None)

    def follow() -> None:
        for page in range(200):
            walk.receive(Page([], turns[page % 3], 0.5))

    with pytest.raises(TableError):
        follow()


def test_a_page_evaluated_the_items_that_it_has_or_those_that_it_only_counted() -> None:
    items = [{"pk": {"S": "a"}}, {"pk": {"S": "b"}}]
    assert [Page(items, None, 0.5).evaluated, Page([], None, 0.5).evaluated] == [2, 0]
    assert Page([], None, 0.5, counted=7).evaluated == 7
