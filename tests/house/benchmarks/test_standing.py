"""The page beside the peers: a row for each comparison, whose bar shows who is better and by how much."""

import re
from importlib import import_module
from pkgutil import iter_modules

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


def test_folders_with_a_standing_join_by_themselves() -> None:
    folders = [module.name for module in iter_modules(benchmarks.__path__) if module.ispkg]
    joined = [name for name in folders if hasattr(import_module(f"benchmarks.{name}"), "standing")]
    assert {"act", "blog_table", "client", "copy", "retrofit", "writers"} <= set(joined)
    rates = {"rate": 2.0}, {"rate": 4.0}
    figures = {"writers": dict(zip(("act put", "BatchWriteItem"), rates, strict=True))}
    assert standings(["writers", "limit"], figures)["writers"][0].times == 0.5
