"""The picture of levels: as its program draws it, and as a run reads these items."""

import xml.etree.ElementTree as ET

import pytest

from local.console_drawings import WIDTH
from local.levels_drawing import COLLECTIONS, LEVEL, PAGE_ITEMS, PICTURE, Page, draw, pages
from skipscan.scan.limit.policy import LimitPolicy
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run


def test_the_picture_is_current() -> None:
    assert PICTURE.read_text() == draw(), "python -m local.levels_drawing"


def test_everything_is_within_the_frame() -> None:
    drawn = ET.fromstring(draw())  # noqa: S314 (our own)
    height = int(drawn.attrib["viewBox"].split()[3])
    for shape in drawn.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, wide, high = (int(shape.attrib[side]) for side in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= WIDTH
        assert 0 <= y <= y + high <= height
    for words in drawn.iter("{http://www.w3.org/2000/svg}text"):
        assert int(words.attrib["x"]) + 8 * len(words.text or "") < WIDTH


def test_a_page_begins_behind_the_group_in_which_the_one_before_ended() -> None:
    assert pages(("A#1", "A#2", "A#3", "B", "B#1")) == [Page(0, 2), Page(3, 5)]


@pytest.mark.parametrize("key", COLLECTIONS)
def test_a_run_reads_the_pages_that_the_picture_has(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitPolicy, "limit", lambda policy: PAGE_ITEMS)
    dynamodb, sort_keys = FakeDynamoDB(), COLLECTIONS[key]
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("pk", "S"), ("sk", "S"))),
        ({"pk": {"S": key}, "sk": {"S": sort_key}} for sort_key in sort_keys),
    )
    outcome = run(dynamodb, table="Orders", segments=1, workers=1, delimiter=LEVEL.delimiter)
    shown = pages(sort_keys)
    assert [prefix["S"] for _, prefix in outcome.keys] == list(
        dict.fromkeys(LEVEL.prefix_of({"S": sort_key})["S"] for sort_key in sort_keys)
    )
    assert outcome.counts.items == sum(page.end - page.begin for page in shown)
    assert outcome.counts.requests == len(shown) + 1  # the last one is empty: a skip ends the segment
