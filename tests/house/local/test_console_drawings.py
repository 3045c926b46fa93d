"""The drawings of the console in docs/images: as their program draws them, within their frame, and described."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from local.console_drawings import DRAWINGS, FOLDER, WIDTH, write

PAGES = [*Path("docs").glob("*.md")]


def test_the_drawings_are_current(tmp_path: Path) -> None:
    write(tmp_path)
    for path in tmp_path.iterdir():
        assert (FOLDER / path.name).read_text() == path.read_text(), "python -m local.console_drawings"


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_within_its_frame_and_says_what_it_is(name: str) -> None:
    drawn = ET.fromstring(DRAWINGS[name]())  # noqa: S314
    height = int(drawn.attrib["viewBox"].split()[3])
    assert drawn.attrib["aria-label"].startswith("A drawing of the Step Functions console")
    for shape in drawn.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, wide, high = (int(shape.attrib[side]) for side in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= WIDTH
        assert 0 <= y <= y + high <= height
    for words in drawn.iter("{http://www.w3.org/2000/svg}text"):
        assert int(words.attrib["x"]) + 8 * len(words.text or "") < WIDTH


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_page_shows_it_and_calls_it_a_drawing(name: str) -> None:
    shown = [page.read_text() for page in PAGES if f"images/{name}" in page.read_text()]
    assert shown
    assert all(re.search(rf"!\[A drawing of ours[^\]]+\]\(images/{name}\)", text) for text in shown)
