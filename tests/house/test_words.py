"""The code speaks the field's language: words of a private dialect are rare."""

import re
from pathlib import Path

import pytest

from infra.bundle import ROOT

WORDS = ("asked", "begun|began", "nouns?", "settled?s?", "wanted")
MOST = 5.0
"""Uses of each for 100,000 words. In well-known packages there are fewer; here names that are stored keep some."""


def words() -> list[str]:
    files = [*(ROOT / "lambdas").rglob("*.py"), *(ROOT / "infra").glob("*.py")]
    text = " ".join(Path(file).read_text(encoding="utf-8") for file in files)
    return [word.lower() for word in re.findall(r"[A-Za-z]+", text)]


@pytest.mark.slow
def test_words_of_a_dialect_are_rare() -> None:
    found = words()
    uses = {word: sum(map(bool, map(re.compile(word).fullmatch, found))) * 1e5 / len(found) for word in WORDS}
    assert {word: round(rate, 1) for word, rate in uses.items() if rate > MOST} == {}, "use the field's words"
