"""The README's first screen: for whom, how to install, one command, the saving as a chart, and what was never tried."""

import re
from pathlib import Path

TEXT = Path("README.md").read_text()
FIRST = TEXT.partition("\n## ")[0]
WORDS = 900


def words(markdown: str) -> int:
    """Return how many words a person reads: without code blocks, markup and the targets of links."""
    read = re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE)
    read = re.sub(r"\]\([^)]*\)", "]", re.sub(r"<[^>]+>", "", read))
    return len(re.findall(r"\w[\w'.,/$-]*", read))


def test_it_is_short() -> None:
    assert words(TEXT) <= WORDS
    assert words(FIRST) <= WORDS / 9


def test_the_first_screen_says_for_whom_how_much_and_how() -> None:
    assert "for everyone who" in " ".join(FIRST.split())
    assert re.search(r"^pip install \S+", FIRST, re.MULTILINE)
    assert re.search(r"^skipscan keys \S+", FIRST, re.MULTILINE)
    assert FIRST.count("<img ") == 1
    assert re.search(r'alt="[^"]*a full scan \$[\d.]+, Skipscan \$[\d.]+\.[^"]*minutes[^"]*"', FIRST)


def test_the_first_screen_says_that_nothing_was_measured_on_aws() -> None:
    assert "measured on emulators" in FIRST
    assert "Nothing has run on AWS yet" in FIRST
