"""The code that pages show of examples is theirs, to the letter."""

import re
from pathlib import Path

import pytest

SHOWN = re.compile(r"<!-- (examples/\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
BLOCKS = [
    pytest.param(page, name, block, id=f"{page.name}: {name}")
    for page in sorted(Path("docs").glob("*.md"))
    for name, block in SHOWN.findall(page.read_text())
]


def test_some_pages_show_examples() -> None:
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize(("page", "name", "block"), BLOCKS)
def test_a_page_shows_an_example_as_it_is(page: Path, name: str, block: str) -> None:
    assert block == Path(name).read_text()
    assert f"](../{name})" in page.read_text()


def test_every_example_is_led_to() -> None:
    pages = "".join(page.read_text() for page in Path("docs").glob("*.md"))
    assert [path for path in Path("examples").glob("*") if path.as_posix() not in pages] == []
