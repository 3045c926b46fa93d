"""The table of figures."""

from collections.abc import Mapping
from typing import Any

from benchmarks.retrofit.report import ALONE, print_both

ROWS = {
    **ALONE,
    "changes and deletes by an application meanwhile": lambda way: f"{way['changes_meanwhile']:,}",
    "… changed items that the new table lacks": lambda way: f"{way['changes_lost']:,}",
    "… deleted items that it still has": lambda way: f"{way['deletes_undone']:,}",
}


def show(figures: Mapping[str, Any]) -> None:
    """Print both ways side by side."""
    print_both(f"Copy of {figures['items']:,} items on dynalite", ROWS, figures)
