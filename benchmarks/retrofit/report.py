"""The table of figures."""

from collections.abc import Callable, Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

Rows = Mapping[str, Callable[[Mapping[str, Any]], str]]

ALONE: Rows = {
    "items a second": lambda way: f"{way['items_per_second']:,}",
    "requests": lambda way: f"{way['requests']:,.0f}",
    "read units": lambda way: f"{way['read_units']:,.1f}",
    "write units": lambda way: f"{way['write_units']:,.0f}",
    "write units, run again": lambda way: f"{way['again']['write_units']:,.0f}",
}
ROWS: Rows = {
    **ALONE,
    "items an application changed meanwhile": lambda way: f"{way['writes_meanwhile']:,}",
    "… of these changes, overwritten": lambda way: f"{way['writes_lost']:,}",
}


def show(figures: Mapping[str, Any]) -> None:
    """Print both ways side by side."""
    print_both(f"Retrofit of {figures['items']:,} items on dynalite", ROWS, figures)


def both(rows: Rows, figures: Mapping[str, Any]) -> str:
    """Return the same as Markdown."""
    lines = ["| | Skipscan | the post's loop |", "|---|---:|---:|"]
    lines += [f"| {text} | {cell(figures['ours'])} | {cell(figures['naive'])} |" for text, cell in rows.items()]
    return "\n".join(lines)


def race_table(rows: Rows, results: Mapping[str, Any]) -> str:
    """Return a kept race as its page has it."""
    return (
        f"Measured on {results['measured']} with {results['items']:,} items on dynalite, on a busy machine; on AWS "
        f"the write capacity sets the pace:\n\n{both(rows, results)}"
    )


def print_both(title: str, rows: Rows, figures: Mapping[str, Any]) -> None:
    """Print a row for each figure of "ours" and "naive"."""
    table = Table(box=box.SIMPLE_HEAD, title=title)
    table.add_column("")
    for name in ("ours", "naive"):
        table.add_column(name, justify="right")
    for text, cell in rows.items():
        table.add_row(text, *(cell(figures[name]) for name in ("ours", "naive")))
    Console().print(table)
