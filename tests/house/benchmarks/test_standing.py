"""The page beside the peers: a row for each comparison, whose bar shows who is better and by how much."""

import re
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

import benchmarks
from benchmarks.standing import WIDTH, Standing, page, standings


def _bars(text: str) -> list[tuple[float, float, str]]:
    found = re.findall(r'<rect x="([\d.]+)" y="3" width="([\d.]+)" height="12" fill="(#\w+)"', text)
    return [(float(begin), float(width), colour) for begin, width, colour in found]


def test_who_is_better_by_less_and_by_more() -> None:
    assert Standing.less("a", "seconds", 2.0, 20.0).times == 10.0
    assert Standing.more("a", "items a second", 2.0, 20.0).times == 0.1


def test_a_bar_shows_the_factor_and_who_is_better() -> None:
    rows = {"client": [Standing.less("<b>", "seconds", 2, 20), Standing.more("c", "items", 2, 20)]}
    text = page(rows)
    better, worse = _bars(text)
    assert better == (WIDTH, WIDTH / 3, "#1a7f37")
    assert worse == (WIDTH - WIDTH / 3, WIDTH / 3, "#cf222e")
    assert "<b>" not in text
    assert "http" not in text  # the page loads nothing


def test_every_folder_has_its_rows() -> None:
    folders = [module.name for module in iter_modules(benchmarks.__path__) if module.ispkg]
    joined = [name for name in folders if hasattr(import_module(f"benchmarks.{name}"), "standing")]
    assert joined == folders
    rates = {"rate": 2.0}, {"rate": 4.0}
    figures = {"writers": dict(zip(("act put", "BatchWriteItem"), rates, strict=True))}
    assert standings(["writers"], figures)["writers"][0].times == 0.5


FIGURES: dict[str, dict[str, Any]] = {
    "limit": {
        "limit": {
            "named: ours / best fixed, worst": 1.25,
            "28: ours / clairvoyant, geometric mean": 1.25,
            "28: Limit=1 / ours, requests": 3.0,
        }
    },
    "estimate": {"estimate": {"keys (all)": {"held": 0.76}}},
    "profile": {"profile": {"orders": {"counting": 1.25, "parsing": 1.0}}},
    "first_items": {
        "first_items": {
            f"{table}_{number}_{figure}": value
            for table in ("demo", "blog")
            for number in range(3)
            for figure, value in {"name": f"way {number}", "read_units": (9.0, 5.0, 4.0)[number], "dollars": 0}.items()
        }
    },
}


@pytest.mark.parametrize(("folder", "rows"), [("limit", 2), ("estimate", 1), ("profile", 1), ("first_items", 2)])
def test_rows_are_compared_the_right_way_round(folder: str, rows: int) -> None:
    """The peer is better by a quarter in all of these."""
    found = standings([folder], FIGURES[folder])[folder]
    assert [round(row.times, 3) for row in found] == [0.8] * rows
