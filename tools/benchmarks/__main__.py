"""Measure: `python -m benchmarks [QUESTION…]`, or `make bench`. Without names: all questions, in their quick form.

`--full` measures anew what docs/benchmarks.md shows: it renews results.json, the page, and the chart of README.md.
`--draw` only draws the page and the chart again.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from time import perf_counter
from typing import Any

from benchmarks import client, cost, intervals, writers
from benchmarks.limit.figures import rows, summary
from benchmarks.page import QUESTIONS, RESULTS, draw, kept, now

DRAW = 7001
"""Of the random shapes."""


def costs(full: bool, measured: dict[str, Any]) -> list[dict[str, Any]]:
    return [asdict(each) for each in cost.costs(measured["client"], full=full)]


def limits(full: bool, _: object) -> dict[str, Any]:
    sizes = (20_000, 2_000, 300) if full else (300,)
    return {str(size): summary(rows(size, [1], 40, draw=DRAW)) for size in sizes}


MEASURED: dict[str, Callable[[bool, dict[str, Any]], Any]] = {
    "client": lambda full, _: client.measure(full=full),
    "cost": costs,
    "rates": lambda full, _: writers.rates(10_000 if full else 2_000, rounds=5 if full else 3),
    "races": lambda full, _: writers.races(3_000 if full else 1_000),
    "intervals": lambda full, _: intervals.measure(100 if full else 20, DRAW),
    "limit": limits,
}
"""What each question measures: in the full form or not, with the figures so far."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"of {', '.join(MEASURED)} (default: all)")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--draw", action="store_true")
    requested = parser.parse_args()
    if unknown := set(requested.questions) - MEASURED.keys():
        parser.error(f"{', '.join(sorted(unknown))}: a question is one of {', '.join(MEASURED)}")
    when = now()  # results.json changes below
    figures = kept()  # a question that is not asked may rest on figures that are kept
    for name in () if requested.draw else requested.questions or MEASURED:
        start = perf_counter()
        figures[name] = {**when, "figures": MEASURED[name](requested.full, _plain(figures))}
        print(f"\n{QUESTIONS[name].text(figures[name])}\n({perf_counter() - start:.0f} s)", flush=True)
        if requested.full:  # one by one: a question that fails loses none of the others
            RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if requested.full or requested.draw:
        draw(figures)


def _plain(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: of["figures"] for name, of in figures.items()}


if __name__ == "__main__":
    main()
