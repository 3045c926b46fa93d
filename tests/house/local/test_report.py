from __future__ import annotations

import pytest

from local.report import difference

LOADED = frozenset({"a", "b", "c"})


def test_finds_no_difference_whatever_the_order() -> None:
    assert difference(["c", "a", "b"], LOADED) == ""


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (["a", "b"], "1 missing"),
        (["a", "b", "c", "d"], "1 never loaded"),
        (["a", "b", "c", "a"], "1 repeated"),
        (["a", "a", "x"], "2 missing, 1 never loaded, 1 repeated"),
    ],
)
def test_says_in_how_many_keys_they_differ(found: list[str], words: str) -> None:
    assert difference(found, LOADED) == words
