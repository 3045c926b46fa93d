"""How Skipscan stands beside each peer, as one page: a card for each question, a row and a bar for each comparison.

A folder of `benchmarks` that has a function `standing(figures)` joins by itself. It takes all figures of
`build/bench.json` and returns its rows. QUESTION is the title of their card, and MEASURED says how they came to be.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from importlib import import_module
from math import inf, log10
from pathlib import Path
from typing import NamedTuple

from skipscan.report.card import Markup, tag
from skipscan.report.page import TIMES, headline_row, html_document, page_footer
from skipscan.report.report import Headline
from skipscan.report.svg import percent

PAGE = Path("build/bench.html")
MOST = 3
"""The power of ten at which a bar is full."""
EQUAL = 0.005
"""A part by which two figures may differ and still count as equal."""
FIRST = ("blog_table", "client", "limit", "first_items", "questions")
"""The folders whose questions open the page: they are about listing keys. The others follow by name."""


class Kind(StrEnum):
    """How a figure came to be."""

    COUNT = "exact count"
    BILL = "by the price list"
    HERE = "measured here"


MEANINGS = {
    Kind.COUNT: "Units, requests and items are counted request by request, on an emulator or over a formula. Every "
    "machine counts the same. Of the blog's table a share of the segments is read, and the rest extrapolated.",
    Kind.BILL: "Counts at the prices of us-east-1, on demand. The bill of a run has Lambda, Step Functions and S3 in "
    "it. No figure was read from a bill.",
    Kind.HERE: "Seconds, rates, processor time and memory on the machine that ran make bench, most of them with an "
    "emulator on the same processors. Compare the two sides; do not expect the values elsewhere.",
}


class Standing(NamedTuple):
    """One comparison. `times`: how many times better we are; below 1, the peer is better.

    `is_bound`: the peer is what nobody can reach, so it is better in any case.
    """

    peer: str
    figure: str
    ours: float
    theirs: float
    times: float
    kind: Kind
    is_bound: bool = False

    @classmethod
    def less(cls, kind: Kind, peer: str, figure: str, ours: float, theirs: float) -> "Standing":
        """Compare a figure that is better when smaller: read units, seconds, dollars."""
        return cls(peer, figure, ours, theirs, _ratio(theirs, ours), kind)

    @classmethod
    def more(cls, kind: Kind, peer: str, figure: str, ours: float, theirs: float) -> "Standing":
        """Compare a figure that is better when larger, such as items a second."""
        return cls(peer, figure, ours, theirs, _ratio(ours, theirs), kind)

    @property
    def is_equal(self) -> bool:
        return abs(self.times - 1) <= EQUAL

    @property
    def is_better(self) -> bool:
        return self.times > 1 and not self.is_equal


def _ratio(one: float, other: float) -> float:
    if one == other:
        return 1.0
    return one / other if other else inf


class Question(NamedTuple):
    """A folder's rows, with its question and how it is measured."""

    name: str
    text: str
    measured: str
    rows: Sequence[Standing]


def questions(folders: Iterable[str], figures: Mapping[str, object]) -> list[Question]:
    """Return the questions of these folders, those about listing keys first."""
    found = []
    for name in sorted(folders, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)):
        module = import_module(f"benchmarks.{name}")
        found.append(Question(name, module.QUESTION, module.MEASURED, list(module.standing(figures))))
    return found


def page(asked: Sequence[Question], day: date) -> str:
    """Return the page as HTML that loads nothing and runs no script."""
    return html_document(
        "Skipscan beside its peers",
        tag("a", "Skip to the comparisons", class_="skip", href="#pictures"),
        tag(
            "header",
            tag("p", "Skipscan benchmarks", class_="eyebrow"),
            tag("h1", "Skipscan beside its peers"),
            tag(
                "p",
                "Measured on ",
                tag("b", f"{day.day} {day:%B %Y}"),
                ", on emulators, not on AWS.",
                class_="run",
            ),
        ),
        tag("main", _summary(asked), tag("div", map(_card, asked), id="pictures", class_="pictures", tabindex="-1")),
        page_footer(
            "Made by make bench, the quick form of all benchmarks: a few rounds, small tables. The documentation has "
            "the figures of the full forms. This page contains no scripts and makes no network requests."
        ),
    )


def _summary(asked: Sequence[Question]) -> Markup:
    rows = [row for question in asked for row in question.rows]
    peers = [row for row in rows if not row.is_bound]
    better, equal = sum(row.is_better for row in peers), sum(row.is_equal for row in peers)
    worse, bounds = len(peers) - better - equal, len(rows) - len(peers)
    counts = (
        Headline(f"{better}", "Skipscan is better", "a filled bar to the right of the middle"),
        Headline(f"{equal}", "equal", f"they differ by at most {EQUAL:.1%}".replace("%", " %")),
        Headline(f"{worse}", "the peer is better", "a hollow bar to the left of the middle"),
    )
    kinds = (
        tag("div", tag("dt", f"{kind.capitalize()} ({sum(row.kind is kind for row in rows)} rows)"), tag("dd", meaning))
        for kind, meaning in MEANINGS.items()
    )
    return tag(
        "section",
        tag(
            "h2",
            f"Skipscan is better in {better} of {len(peers)} comparisons, and the peer in {worse}",
            id="answer",
            class_="answer",
        ),
        headline_row(counts),
        tag(
            "p",
            "The length of a bar is the factor between the two figures, and each line of its grid is a factor of ten. "
            "A peer that cannot run here, such as Athena, Glue or bulk_executor, has no row, unless its price follows "
            f"from the price list. Of {bounds} more rows the peer is a bound that no program reaches.",
            class_="note",
        ),
        tag("dl", kinds, class_="facts"),
        aria_labelledby="answer",
    )


def _card(question: Question) -> Markup:
    columns = ("Skipscan", "peer")
    head = tag(
        "tr",
        tag("th", "peer, figure", scope="col"),
        (tag("th", column, scope="col", class_="figure") for column in columns),
        role="row",
    )
    table = tag(
        "table",
        tag("caption", question.text, class_="unseen"),
        tag("thead", head, role="rowgroup"),
        tag("tbody", (_row(row, columns) for row in question.rows)),
        class_="ways",
        role="table",
    )
    section = tag(
        "section",
        tag("h2", question.text, id=f"{question.name}-title"),
        tag("p", question.measured, class_="summary"),
        tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=question.text),
        class_="card",
        id=question.name,
        aria_labelledby=f"{question.name}-title",
    )
    return tag("div", section, class_="cell broad")


def _row(row: Standing, columns: Sequence[str]) -> Markup:
    cells = (_number(row.ours), _number(row.theirs))
    return tag(
        "tr",
        tag(
            "th",
            tag("span", row.peer, class_="name"),
            tag("span", f"{row.figure} ({row.kind})", class_="basis"),
            tag("span", tag("span", verdict(row)), bar(row), class_="bar"),
            scope="row",
            role="rowheader",
        ),
        (
            tag("td", cell, class_="figure", role="cell", data_label=column)
            for cell, column in zip(cells, columns, strict=True)
        ),
        role="row",
    )


def verdict(row: Standing) -> str:
    """Return who is better, and how many times."""
    if row.is_equal:
        return "equal"
    factor, word = (row.times, "better") if row.is_better else (_ratio(1, row.times), "worse")
    if factor == inf:
        return word
    digits = 0 if factor >= 10 else 1 if factor >= 1.1 else 2
    return f"{factor:,.{digits}f}{TIMES} {word}"


def bar(row: Standing) -> Markup:
    """Return the picture of a row: a filled bar to the right if we are better, else a hollow one to the left."""
    power = max(-MOST, min(MOST, log10(row.times) if row.times else -inf))
    length = max(0.004, abs(power) / MOST / 2)
    kind, begin = ("solid keys", 0.5) if row.is_better else ("hollow units", 0.5 - length)
    places = (0.5 + tick / MOST / 2 for tick in range(-MOST, MOST + 1))
    return tag(
        "svg",
        (
            tag("line", class_="mark" if place == 0.5 else "grid", x1=percent(place), x2=percent(place), y1=0, y2=16)
            for place in places
        ),
        None if row.is_equal else tag("rect", class_=kind, x=percent(begin), y=3, width=percent(length), height=10),
        class_="track",
        width="100%",
        height=16,
        aria_hidden="true",
    )


def _number(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 100 or figure == 0 else f"{figure:,.3g}"
