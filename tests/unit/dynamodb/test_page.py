"""Pages that go in a circle are detected, whatever its length; progressing pages are not."""

from typing import Any

import pytest

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item, Source
from skipscan.errors import TableError
from skipscan.items.lane import Lane
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Groups
from skipscan.scan.walk import Walk
from tests.fakes.pair import copy_plan


def key(number: int) -> Item:
    return {"id": {"S": f"secret-{number}"}}


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
