"""The plain record that the page is written from. Any kind of work can fill it; what is `None` or empty is left out.

Every text in it may come from a user or from S3: the page escapes all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from skipscan.report.digest import Worker
from skipscan.report.segment_spread import LengthSpread, SegmentSpread
from skipscan.report.timeline import Timeline
from skipscan.sample.interval import Interval


@dataclass(frozen=True)
class Headline:
    """One of the figures at the top: 2,001 · keys · measured, each once."""

    value: str
    name: str
    detail: str


@dataclass(frozen=True)
class Saving:
    """The one big number: how many times fewer read units than another way. `basis`: says "measured" or "by estimate".

    `dollars`: of what, ours, the other's: whole bills.
    """

    factor: float
    unit: str
    other: str
    basis: str
    dollars: Sequence[tuple[str, float, float]]


@dataclass(frozen=True)
class BillRow:
    """One way to do the work. `dollars`: the whole bill. `unit_dollars`: of the units alone, `None` if not billed.

    `basis`: says "measured" or "estimated", and from what.
    """

    name: str
    units: Interval
    requests: Interval
    dollars: float
    unit_dollars: float | None
    basis: str


@dataclass(frozen=True)
class BillTable:
    """The work itself is the first row. `unit`: what the first column counts. `services`: the first row's dollars."""

    unit: str
    rows: Sequence[BillRow]
    services: Sequence[tuple[str, float, str]] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class ProgressChart:
    """`counted`: the figure of the timeline that is drawn as a running total; `units`: drawn per second.

    `noun`: what is counted. `expected`: the estimate of its total. `waited_seconds`: from the start to the first batch.
    `done`: what happened to what is counted.
    """

    timeline: Timeline
    counted: str
    noun: str
    units: str
    unit: str
    expected: float | None = None
    waited_seconds: float = 0.0
    notes: Sequence[str] = ()
    done: str = "found"


@dataclass(frozen=True)
class Workers:
    """`columns`: the figures of each worker to show, by name and heading. `count`: of all workers."""

    workers: Sequence[Worker]
    timeline: Timeline
    columns: Sequence[tuple[str, str]]
    count: int
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class ExpectedFigure:
    """An estimate and its result; `low` and `high` are the 95 % interval, `None` without one."""

    name: str
    estimate: float
    low: float | None
    high: float | None
    came: float

    @property
    def held(self) -> bool | None:
        """Whether the result is within the interval."""
        return None if self.low is None or self.high is None else self.low <= self.came <= self.high


@dataclass(frozen=True)
class Throttled:
    """`refused` requests, in addition to `requests` that were answered."""

    requests: int
    refused: int


@dataclass(frozen=True)
class ListedRun:
    """A finished run among those that listed the same keys. `dollars`: the whole bill."""

    name: str
    started: str
    keys: int
    read_units: float
    dollars: float
    seconds: float

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the run of a manifest."""
        amounts = (manifest.get("read_units", 0), manifest["dollars"]["total"], manifest["seconds"])
        return cls(manifest["run"], manifest["started"], manifest["keys"], *map(float, amounts))


SHOWN_FILES = 200


@dataclass(frozen=True)
class Files:
    """`rows`: name, count, bytes, SHA-256. `count`: of all files, of which `rows` may be the first."""

    noun: str
    rows: Sequence[tuple[str, int, int, str]]
    count: int
    bytes: int
    listed_in: str

    @classmethod
    def of(cls, noun: str, folder: str, parts: Sequence[Any] | None, listed_in: str) -> Self | None:
        """Return the parts that a manifest lists, without the folder in their names; `None` for no parts.

        `parts`: those to be shown, and then of each other its bytes.
        """
        if not parts:
            return None
        rows = [
            (part["name"].partition(f"/{folder}/")[2] or part["name"], part["keys"], part["bytes"], part["sha256"])
            for part in parts[:SHOWN_FILES]
        ]
        return cls(noun, rows, len(parts), sum(row[2] for row in rows) + sum(parts[SHOWN_FILES:]), listed_in)


@dataclass(frozen=True)
class Report:
    """A run or job. `noun`: of its kind. `subject`: the table, or the two tables, that it worked on.

    `segments`: with figures of their own, out of `segments_planned`. `segments_are`: the nouns of a segment, of what it
    consumes, and of what it counts. `links`: names and addresses. `trend`: earlier runs, oldest first, and this one;
    `nouns`: what they listed. `groups`: what was counted, if anything was. `within`: which part of all that is, to be
    said behind the noun. `notices`: what a reader must know before all else, such as a missing part.
    """

    noun: str
    name: str
    subject: str
    is_complete: bool
    status: str
    answer: str
    headlines: Sequence[Headline]
    links: Sequence[tuple[str, str]] = ()
    saving: Saving | None = None
    bill: BillTable | None = None
    progress: ProgressChart | None = None
    trend: Sequence[ListedRun] = ()
    nouns: str = "keys"
    groups: str = "item collections"
    within: str = ""
    estimates: Sequence[ExpectedFigure] = ()
    workers: Workers | None = None
    segments: SegmentSpread | None = None
    segments_planned: int = 0
    segments_are: tuple[str, str, str] = ("segment", "read units", "keys")
    lengths: LengthSpread | None = None
    throttled: Throttled | None = None
    facts: Sequence[tuple[str, str]] = ()
    files: Files | None = None
    notices: Sequence[str] = ()
