"""The table of figures."""

from collections.abc import Callable, Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table


def show(figures: Mapping[str, Any]) -> None:
    """Print both ways side by side."""
    table = Table(box=box.SIMPLE_HEAD, title=f"Retrofit of {figures['items']:,} items on dynalite")
    table.add_column("")
    for name in ("ours", "naive"):
        table.add_column(name, justify="right")
    rows: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "items a second": lambda way: f"{way['items_per_second']:,}",
        "requests": lambda way: f"{way['requests']:,.0f}",
        "read units": lambda way: f"{way['read_units']:,.1f}",
        "write units": lambda way: f"{way['write_units']:,.0f}",
        "write units, run again": lambda way: f"{way['again']['write_units']:,.0f}",
        "items an application changed meanwhile": lambda way: f"{way['writes_meanwhile']:,}",
        "of these changes, overwritten": lambda way: f"{way['writes_lost']:,}",
    }
    for title, cell in rows.items():
        table.add_row(title, *(cell(figures[name]) for name in ("ours", "naive")))
    Console().print(table)
