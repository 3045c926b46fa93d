"""docs/benchmarks.md and the chart at the top of README.md, drawn from results.json."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.cost import FULL_SCAN, KEYS, SCRIPT, SKIPSCAN, WAIT_SECONDS

DOCS = Path("docs")
RESULTS = Path(__file__).with_name("results.json")
PAGE, IMAGES = DOCS / "benchmarks.md", DOCS / "images"

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """A section of the page. `how`: it was measured. `table`: its rows from the figures, the first one its head."""

    title: str
    how: str
    table: Callable[[Any], Sequence[Sequence[str]]]

    def text(self, measured: Mapping[str, Any]) -> str:
        """Return the section, with date and commit."""
        head, *rows = self.table(measured["figures"])
        rule = ["---", *["---:"] * (len(head) - 1)]
        table = "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
        when = f"Measured on {measured['date']} at commit {measured['commit']}."
        return f"## {self.title}\n\n{self.how} {when}\n\n{table}"


def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def now() -> dict[str, str]:
    """Return the date, and the commit with a plus if files have changed since."""
    described = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    commit = subprocess.run(described, capture_output=True, text=True, check=True).stdout.strip()
    return {"date": datetime.now(UTC).date().isoformat(), "commit": commit}


def _costs(figures: Sequence[Figures]) -> Iterator[list[str]]:
    yield ["", "way", "read units", "requests", "workers", "minutes", "whole dollars"]
    for each in figures:
        numbers = [""] * 4
        if each["minutes"] is not None:
            counts = (f"{each['read_units']:,.0f}", f"{each['requests']:,}", str(each["workers"] or ""))
            numbers = [*counts, f"{each['minutes']:,.1f}"]
        dollars = f"{each['dollars']:,.2f}" if each["dollars"] >= 0.1 else f"{each['dollars']:.4f}"
        yield [each["question"], each["way"], *numbers, dollars]


def _client(figures: Mapping[str, Figures]) -> Iterator[list[str]]:
    yield ["a page of", "whole path, ms", "of client.scan", "over boto3", "our client alone"]
    for page in figures.values():
        ratios = [f"{page[f'{name}_of_bare']:.2f}" for name in ("whole", "over_boto3", "lean")]
        yield [f"{page['items']:,} items", f"{page['whole_ms']:.2f}", *ratios]


def _rates(figures: Mapping[str, Figures]) -> Iterator[list[str]]:
    yield ["one worker", "items a second", "processor time an item, ms"]
    for name, of in figures.items():
        yield [name, f"{of['rate']:,}", f"{of['cpu_ms']:.3f}"]


def _races(figures: Mapping[str, Any]) -> Iterator[list[str]]:
    ways = {name: of for name, of in figures.items() if isinstance(of, Mapping)}
    yield ["", *ways]
    for name in next(iter(ways.values())):
        yield [name.replace("_", " "), *(f"{of[name]:,.0f}" for of in ways.values())]


def _intervals(figures: Mapping[str, Figures]) -> Iterator[list[str]]:
    yield ["", "tables", "inside the interval", "high / low, median", "error, median"]
    for name, of in figures.items():
        shares = [f"{of['held']:.1%}", f"{of['high_by_low']:.2f}", f"{of['error']:.0%}"]
        yield [name.replace("_", " "), str(of["tables"]), *(share.replace("%", " %") for share in shares)]


def _limit(figures: Mapping[str, Figures]) -> Iterator[list[str]]:
    yield ["", *(f"{int(size):,} collections" for size in figures)]
    for name in next(iter(figures.values())):
        yield [name, *(f"{of[name]:.3f}" for of in figures.values())]


QUESTIONS = {
    "cost": Question(
        "What does a listing cost?",
        "The article's table: 2 million keys with 1,000 items of 500 bytes each, 1 TB, as a formula. Read units and "
        "requests are counted over a share of the segments and extrapolated. Minutes are the processor time of such "
        f"pages, measured below, and {1000 * WAIT_SECONDS:.0f} ms of waiting for each answer, which a worker's walks "
        "share. Dollars: us-east-1, on demand, the whole bill of a deployed run, and the read units of a script. The "
        "export is by the price list, and was not run.",
        lambda figures: list(_costs(figures)),
    ),
    "client": Question(
        "Is our own client worth it?",
        "Processor time from the batch's decision to the lines in the part, beside boto3's `client.scan` alone with "
        "the same requests on as many threads. A server of its own process has the answers ready. The three kinds of "
        "pages have few items, 3 long item collections, and a key for each item.",
        lambda figures: list(_client(figures)),
    ),
    "rates": Question(
        "What does a worker write a second?",
        "Against a server that has the answers ready, so the worker's processor time is the bound. Each item of a job "
        "is a request with a condition. BatchWriteItem, with boto3 on as many threads, knows no condition.",
        lambda figures: list(_rates(figures)),
    ),
    "races": Question(
        "What do writers lose?",
        "The audit table of the AWS Database Blog's article on dynalite, while an application changes and deletes a "
        "hundred items a second. The article's loop puts whole items in tens, and its replicator obeys the stream. On "
        "AWS the write capacity sets the pace.",
        lambda figures: list(_races(figures)),
    ),
    "intervals": Question(
        "Do a plan's intervals hold?",
        "Random shapes of 300 to 20,000 keys: planned, as `skipscan plan` does, and then listed with that plan: their "
        "keys, groups of a level, keys in a range, and counts. The intervals are to hold 95 times in 100. One shape in "
        "nine has one collection that holds nearly all items. No sample meets it, so of such tables the groups of a "
        "level are mostly outside. Figures without an upper end are left out.",
        lambda figures: list(_intervals(figures)),
    ),
    "limit": Question(
        "How good is the Limit?",
        "The product's plan, batch and policy over tables in memory: 28 plain shapes, 59 more with names (*named* has "
        "both), 15 that change along the hash space, 40 drawn at random. The cost is in read units, with 0.08 for a "
        "request. *Best fixed* is the best single Limit, known afterwards alone; *better static* the better of Limit=1 "
        "and a full scan. [How the Limit is chosen](limit.md).",
        lambda figures: list(_limit(figures)),
    ),
}


def page(figures: Mapping[str, Any]) -> str:
    """Return docs/benchmarks.md."""
    sections = "\n\n".join(question.text(figures[name]) for name, question in QUESTIONS.items())
    return (
        "# Benchmarks\n\n[Documentation](README.md) · Understand\n\n"
        "`python -m benchmarks --full` measures anew and writes this page: nothing here is written by hand. "
        "`make bench` runs the quick forms. Everything is measured on emulators and formulas, on a machine that others "
        "used too, and never on AWS: compare the columns; do not expect the values elsewhere.\n\n"
        f"{sections}\n"
    )


def draw(figures: Mapping[str, Any]) -> None:
    PAGE.write_text(page(figures), encoding="utf-8")
    for theme, colours in THEMES.items():
        (IMAGES / f"cost-{theme}.svg").write_text(chart(figures["cost"], colours), encoding="utf-8")


WIDTH, HEIGHT = 760, 300
LEFT, LONGEST = 196, 470
"""Where bars begin, and the longest one's width, in pixels."""
FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Helvetica, Arial, sans-serif"

THEMES = {
    "light": {"text": "#1f2328", "quiet": "#59636e", "other": "#afb8c1", "ours": "#1a7f37"},
    "dark": {"text": "#f0f6fc", "quiet": "#9198a1", "other": "#656c76", "ours": "#3fb950"},
}


def bars(costs: Sequence[Figures]) -> dict[str, list[tuple[str, float, str]]]:
    """Return the label, the value and its text of the chart's bars, ours last, by the panel's title."""
    ways = {each["way"]: each for each in costs if each["question"] == KEYS}
    shown = {"a full scan": ways[FULL_SCAN], "the blog's script": ways[SCRIPT], SKIPSCAN: ways[SKIPSCAN]}
    return {
        "The whole bill": [(label, way["dollars"], f"${way['dollars']:.2f}") for label, way in shown.items()],
        "The time": [(label, way["minutes"], f"{way['minutes']:.1f} min") for label, way in shown.items()],
    }


def chart(measured: Mapping[str, Any], colours: Mapping[str, str]) -> str:
    """Return the chart as SVG."""
    panels = bars(measured["figures"])
    said = ", ".join(f"{label} {shown}" for panel in panels.values() for label, _, shown in panel)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{said}" font-family="{FONT}" font-size="15">'
    ]
    for top, (title, panel) in zip((20, 154), panels.items(), strict=True):
        lines.append(f'<text x="0" y="{top}" font-weight="600" fill="{colours["text"]}">{title}</text>')
        longest = max(value for _, value, _ in panel)
        for row, (label, value, shown) in enumerate(panel):
            y, width = top + 12 + 32 * row, max(3.0, LONGEST * value / longest)
            colour, weight = (colours["ours"], "700") if label == SKIPSCAN else (colours["other"], "400")
            text = f'y="{y + 16}" fill="{colours["text"]}" font-weight="{weight}"'
            lines.append(f'<text x="0" {text}>{label}</text>')
            lines.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="22" rx="3" fill="{colour}"/>')
            lines.append(f'<text x="{LEFT + width + 9:.1f}" {text}>{shown}</text>')
    lines += [
        f'<text x="0" y="{HEIGHT - 6}" font-size="12" fill="{colours["quiet"]}">2 million keys, 2 billion items, 1 TB. '
        f"Measured on emulators on {measured['date']}, not on AWS. Prices of us-east-1, on demand.</text>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
