from __future__ import annotations

import pytest

from local.report import DEPLOYED, FULL, HERE, LIMIT_1, Way, difference, ending
from skipscan.cli.board import plain

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


WAYS = [
    Way(DEPLOYED, 400, 360, 182.5, 0.8, 0.000464),
    Way(HERE, 400, 366, 181.5, 0.4, 0.000023),
    Way(LIMIT_1, 400, 401, 200.0, 1.2, 0.000025),
    Way(FULL, 400, 24, 3060.0, 2.1, 0.000382),
]


def test_every_way_has_the_price_of_its_reads_and_the_whole_bills_are_told_apart() -> None:
    said = " ".join(plain(ending(WAYS, full_job=0.000763)).split())
    assert "reads, $" in said
    assert "full scan 400 24 3,060.0 2.1 0.000382" in said
    assert "Skipscan, deployed 400 360 182.5 0.8 0.000023" in said
    assert "as in the report: Skipscan $0.00046 (this run), a full scan $0.00076 (estimated)." in said
