"""The picture of levels in docs/questions.md: `python -m local.levels_drawing`. Like README's text of the skip.

What the pages show and where each begins is computed by the product's own rule, so the picture cannot say otherwise.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from local.console_drawings import FOLDER, WIDTH, Box, Shapes, Words, drawing
from skipscan.dynamodb.source import Level

LEVEL = Level(delimiter="#")
COLLECTIONS = {
    "c-1": ("NAME", "ORDER#1", "ORDER#2", "ORDER#3", "ORDER#4", "ORDER#5", "TICKET#1", "TICKET#2", "TICKET#3"),
    "c-2": ("ORDER#1", "ORDER#2", "ORDER#3", "ORDER#4", "TICKET#1", "TICKET#2", "TICKET#3", "TICKET#4", "TICKET#5"),
}
PAGE_ITEMS = 2
LEFT, WIDE, GAP = 50, 70, 8
ROW, TOP = 130, 48
"""The pixels of a collection's row, and of the first one's items."""


class Page(NamedTuple):
    """The items of a collection that a page shows, by their numbers."""

    begin: int
    end: int


def pages(sort_keys: Sequence[str]) -> list[Page]:
    """Return the pages of a collection: each begins behind the group in which the one before ended."""
    found: list[Page] = []
    begin = 0
    while begin < len(sort_keys):
        end = min(begin + PAGE_ITEMS, len(sort_keys))
        found.append(Page(begin, end))
        past = LEVEL.past({"S": sort_keys[end - 1]})["S"]
        begin = next((number for number in range(end, len(sort_keys)) if sort_keys[number] > past), len(sort_keys))
    return found


def draw() -> str:
    """Return the picture as SVG."""
    shapes: list[Words | Box] = []
    number = 0
    for row, (key, sort_keys) in enumerate(COLLECTIONS.items()):
        top = TOP + ROW * row
        shapes.append(Words(8, top + 21, key, "title"))
        shown = pages(sort_keys)
        for page in shown:
            number += 1
            shapes += _page(page, top, f"page {number}")
        shapes += _items(sort_keys, {item for page in shown for item in range(*page)}, top)
        for page, following in pairwise([*shown, Page(len(sort_keys), len(sort_keys))]):
            if page.end < following.begin:
                shapes.append(Words(_left(page.end), top - 16, "skipped", "muted"))
    return drawing(
        "How a run with a delimiter reads two item collections: a page shows the first items of a group, the rest of "
        "the group is skipped, and every group is one line",
        TOP + ROW * len(COLLECTIONS) - 44,
        (Box(1, 1, WIDTH - 2, TOP + ROW * len(COLLECTIONS) - 46, "ground"),),
        shapes,
    )


def _left(item: int) -> int:
    return LEFT + (WIDE + GAP) * item


def _page(page: Page, top: int, name: str) -> Shapes:
    wide = (WIDE + GAP) * (page.end - page.begin) - GAP
    return Box(_left(page.begin) - 4, top - 4, wide + 8, 40, "mark"), Words(_left(page.begin), top - 16, name, "step")


def _items(sort_keys: Sequence[str], shown: set[int], top: int) -> Shapes:
    """Return the items, those that no page shows in grey, and below the first one of each group its prefix."""
    shapes: list[Words | Box] = []
    before = None
    for item, sort_key in enumerate(sort_keys):
        kind = "code" if item in shown else "code muted"
        shapes += [Box(_left(item), top, WIDE, 32, "field" if item in shown else "bar")]
        shapes += [Words(_left(item) + 3, top + 21, sort_key, kind)]
        prefix = LEVEL.prefix_of({"S": sort_key})["S"]
        if prefix != before:
            shapes += [Words(_left(item), top + 62, prefix, "code step")]
        before = prefix
    return shapes


PICTURE = FOLDER / "levels.svg"

if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
