"""The figures of docs/comparison.md: `python -m local.figures` repeats the demo, and writes the medians to that page.

It also draws docs/images/demo.svg: the end of a demo with the medians as figures.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from statistics import median

from rich.console import Console

from local import report
from local.checkout import ROOT
from local.demo import compared, keys_from_here
from local.pictures import picture
from local.report import FULL, Way
from local.stage import TABLE, Stage, present, stage
from local.steps import Steps

PAGE = ROOT / "docs" / "comparison.md"
PICTURE = ROOT / "docs" / "images" / "demo.svg"
TABLE_OF_FIGURES = re.compile(r"(\| way to list the keys \|.*?\n\|---[^\n]*\n)(?:\|[^\n]*\n)+")
RUNS = 9


def measured(set_up: Stage, runs: int, steps: Steps) -> list[Way]:
    """Return the medians of each way."""
    with steps.step(f"Run the state machine {runs} times") as emit:
        deployed = [
            Way.deployed(set_up.run({"table": TABLE}, name=f"figures-{number}", emit=emit)) for number in range(runs)
        ]
    with steps.step(f"Run skipscan keys {runs} times"):
        here = [Way.here(keys_from_here(set_up.account)) for _ in range(runs)]
    with steps.step(f"List the keys in three other ways, {runs} times"):
        plain = [compared(set_up.account.dynamodb) for _ in range(runs)]
    return [*map(medians, (deployed, here, *zip(*plain, strict=True)))]


def medians(runs: Sequence[Way]) -> Way:
    """Return a way with the median of each figure of its runs."""
    figures = [asdict(run) for run in runs]
    name = runs[0].name
    return Way(name, **{of: median(run[of] for run in figures) for of in figures[0] if of != "name"})


def rows(ways: Sequence[Way]) -> Iterator[str]:
    """A row of Markdown for each way."""
    full = next(way.read_units for way in ways if way.name == FULL)
    for way in ways:
        against = f" {full / way.read_units:.1f} times fewer |" if way.read_units < full else " |"
        yield f"| {way.name} | {way.requests:,.0f} | {way.read_units:,.1f} |{against}"


def written(text: str, ways: Sequence[Way]) -> str:
    """Return the text of the page with these figures in its table."""
    table = "".join(f"{row}\n" for row in rows(ways))
    return TABLE_OF_FIGURES.sub(lambda found: found[1] + table, text)


def read(text: str) -> dict[str, tuple[float, float]]:
    """Return the requests and read units of each way in the table of the page's text."""
    found = TABLE_OF_FIGURES.search(text)
    if found is None:
        raise ValueError("the page has no table of ways to list the keys")
    cells = [[cell.strip() for cell in row.split("|")[1:4]] for row in found[0].splitlines()[2:]]
    return {name: (float(requests.replace(",", "")), float(units.replace(",", ""))) for name, requests, units in cells}


def measure(console: Console) -> int:
    steps = Steps(console)
    with stage(steps) as set_up:
        ways = measured(set_up, RUNS, steps)
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), ways), encoding="utf-8")
    picture(report.ending(ways), "make demo", PICTURE)
    console.print(report.ending(ways))
    return 0


if __name__ == "__main__":
    sys.exit(present(measure))
