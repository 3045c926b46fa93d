"""What the demo says at its end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from local.checkout import ROOT
from local.listing import Listing


def comparison(output: Mapping[str, Any], one_item: Listing, full: Listing) -> Table:
    """Keys, requests and read units of three ways; every figure is what the engine counted."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("Way to list the keys")
    for title in ("keys", "requests", "read units", "against full scan"):
        table.add_column(title, justify="right")
    rows = (
        ("Skipscan", output["keys"], output["requests"], output["read_units"]),
        ("skip scan, Limit=1", len(one_item.keys), one_item.requests, one_item.read_units),
        ("full scan", len(full.keys), full.requests, full.read_units),
    )
    for way, keys, requests, read_units in rows:
        against = f"{full.read_units / read_units:.1f} times fewer" if read_units != full.read_units else "-"
        table.add_row(way, f"{keys:,}", f"{requests:,}", f"{read_units:,.1f}", against)
    return table


def places(keys: Sequence[str], output: Mapping[str, Any], copy: Path) -> Iterator[str]:
    """A line each for the first keys, the manifest, the parts, the copy that stays, and the report."""
    yield f"First keys  {', '.join(keys[:4])}, …"
    yield f"Manifest    {output['manifest']}"
    yield f"Parts       {output['manifest'].replace('manifest.json', 'keys/')}"
    yield f"Copies      {copy.relative_to(ROOT)}/  (the bucket is gone with its account)"
    yield f"Report      {(copy / 'report.html').relative_to(ROOT)}  (open it in a browser)"


def difference(found: Sequence[str], loaded: Collection[str]) -> str:
    """What is wrong with the keys found; empty if they are the loaded ones, each once."""
    wrong = {
        "missing": len(set(loaded) - set(found)),
        "never loaded": len(set(found) - set(loaded)),
        "repeated": len(found) - len(set(found)),
    }
    return ", ".join(f"{count:,} {what}" for what, count in wrong.items() if count)
