"""The blog's table as a formula, with a part of its segments walked and the rest extrapolated."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from benchmarks.blog_table import COLLECTIONS
from benchmarks.blog_table.results import Results
from benchmarks.blog_table.table import Shape
from benchmarks.first_items.blog import walked
from benchmarks.questions.answer import COUNTS, FEW, LAST_DAY, LEVELS, Answer, full_scan, others
from benchmarks.questions.table import DAYS, TYPES, SortedTable

SHARE, SHARE_OF_ALL = 1 / 1024, 1 / 8192
"""Of the segments, that are walked; and of those that are read whole."""

LAST_DAY_INPUT: Mapping[str, Any] = {"since": DAYS[-1], "take": {"items": "all"}}
LEVELS_INPUT: Mapping[str, Any] = {"delimiter": "#"}


def blog() -> list[Answer]:
    kept = {entry.way: entry for entry in Results.load().tables[0]}["full scan"]
    shape = Shape.table(COLLECTIONS)
    last_day = asked(LAST_DAY, LAST_DAY_INPUT, SHARE, DAYS)
    return [
        last_day,
        asked(LEVELS, LEVELS_INPUT, SHARE, TYPES),
        asked(FEW, {"take": {"count": {"up_to": 100}}}, SHARE, DAYS),
        asked(COUNTS, {"take": {"count": {"up_to": 1000}}}, SHARE_OF_ALL, DAYS),
        *others(
            full_scan(kept.read_units, kept.requests, last_day.way.workers),
            [(shape.item_bytes, shape.collections * shape.length)],
        ),
    ]


def asked(question: str, document: Mapping[str, Any], share: float, sort_keys: Sequence[str]) -> Answer:
    """Return what a run with this input takes of a table with these sort keys."""
    table_of = partial(SortedTable, sort_keys=sort_keys, since=document.get("since", ""))
    return Answer.ours(question, *walked(share, document, table_of))
