"""The output at the end of the demo."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from local.checkout import ROOT
from local.listing import SEGMENTS, Listing
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.inputs.quantities import money
from skipscan.pace.bill import amounts
from skipscan.report.bill import ComparedWay

DEPLOYED, HERE = "Skipscan, deployed", "skipscan keys"
LIMIT_1, FULL, PARALLEL = "skip scan, Limit=1", "full scan", f"full scan, {SEGMENTS} segments"
BAR = 42
"""The columns of the longest bar."""
COUNTED = ("keys", "requests", "read_units", "seconds")


@dataclass(frozen=True)
class Way:
    """One way to list the keys, measured.

    `dollars`: the whole bill; a way that runs on this machine pays only for reads.
    """

    name: str
    keys: int
    requests: int
    read_units: float
    seconds: float
    dollars: float

    @property
    def reads(self) -> float:
        """Return what the read units alone cost, in dollars."""
        return amounts(US_EAST_1, self.read_units).dollars

    @classmethod
    def deployed(cls, output: Mapping[str, Any]) -> Self:
        """Return the figures of an execution, from its output."""
        return cls(DEPLOYED, **{name: output[name] for name in COUNTED}, dollars=output["dollars"]["total"])

    @classmethod
    def here(cls, summary: Mapping[str, Any]) -> Self:
        """Return what `skipscan keys` took, by its summary."""
        paid = amounts(US_EAST_1, summary["read_units"]).dollars
        return cls(HERE, **{name: summary[name] for name in COUNTED}, dollars=paid)

    @classmethod
    def plain(cls, name: str, listing: Listing) -> Self:
        """Return the figures of another way."""
        read_units = listing.read_units
        paid = amounts(US_EAST_1, read_units).dollars
        return cls(name, len(listing.keys), listing.requests, read_units, listing.seconds, paid)


def ending(ways: Sequence[Way], jobs: Mapping[str, ComparedWay]) -> Group:
    """Return the table, the bars and the notes at the end of the demo. `jobs`: the ways as the report compares them."""
    lines = [Text(line) for line in notes({way.name: way for way in ways}, jobs)]
    return Group(comparison(ways), "", *bars(ways), "", *lines)


def comparison(ways: Sequence[Way]) -> Table:
    """Return a row for each way; the engine counted every figure."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("Way to list the keys")
    for title in ("keys", "requests", "read units", "seconds", "reads, $"):
        table.add_column(title, justify="right")
    for way in ways:
        numbers = (f"{way.keys:,}", f"{way.requests:,}", f"{way.read_units:,.1f}", f"{way.seconds:.1f}")
        paid = money(way.reads, *(other.reads for other in ways)).removeprefix("$")
        table.add_row(way.name, *numbers, paid)
    return table


def bars(ways: Sequence[Way]) -> Iterator[Text]:
    """Return a bar of read units for each way, to an eighth of a column."""
    most = max(way.read_units for way in ways)
    width = max(len(way.name) for way in ways)
    for way in ways:
        eighths = max(1, round(8 * BAR * way.read_units / most))
        bar = "█" * (eighths // 8) + EIGHTHS[eighths % 8]
        colour = "green" if way.name in (DEPLOYED, HERE) else "dim"
        yield Text.assemble(f" {way.name:<{width}}  ", (bar, colour), f" {way.read_units:,.1f}")


EIGHTHS = ("", *"▏▎▍▌▋▊▉")


def notes(ways: Mapping[str, Way], jobs: Mapping[str, ComparedWay]) -> Iterator[str]:
    """Explain the figures, with the report's whole bills, of this run and of a million keys of its shape."""
    ours, full = ways[DEPLOYED], ways[FULL]
    yield f"{full.read_units / ours.read_units:.0f} times fewer read units than a full scan."
    yield f"Reads: the read units alone, in dollars (us-east-1, on demand, {US_EAST_1.read_units.as_of})."
    run, scan = next(iter(jobs.values())), jobs[FULL]
    yield "As deployed runs, with Lambda, Step Functions and S3, as in the report:"
    yield f"Skipscan {money(run.bill.total)} (this run), a full scan {money(scan.bill.total)} (estimated)."
    if run.million and scan.million:
        millions = f"Skipscan {money(run.million.total)}, a full scan {money(scan.million.total)} (estimated)."
        yield f"For a million such customers: {millions}"
    yield "Seconds: on this machine, where DynamoDB is one process on one core."


def places(keys: Sequence[str], output: Mapping[str, Any], copy: Path) -> Iterator[str]:
    """Return lines for the first keys, the manifest, the parts, the local copy, and the report."""
    yield f"First keys  {', '.join(keys[:4])}, …"
    yield f"Manifest    {output['manifest']}"
    yield f"Parts       {output['manifest'].replace('manifest.json', 'keys/')}"
    yield f"Copies      {copy.relative_to(ROOT)}/  (the bucket was removed with its account)"
    yield f"Report      {(copy / 'report.html').relative_to(ROOT)}  (open it in a browser)"


def difference(found: Sequence[str], loaded: Collection[str]) -> str:
    """Return how the listed keys differ from the loaded ones; empty if each occurs exactly once."""
    wrong = {
        "missing": len(set(loaded) - set(found)),
        "never loaded": len(set(found) - set(loaded)),
        "repeated": len(found) - len(set(found)),
    }
    return ", ".join(f"{count:,} {what}" for what, count in wrong.items() if count)
