"""The table of the benchmark."""

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.profile.reading import reading
from benchmarks.profile.server import served
from local.profile_tables import TABLES


def report(size_bytes: int) -> dict[str, Any]:
    """Profile so many bytes of each shape; print the table and return its figures."""
    table = Table("shape", "read", "items", "peak", "parsing", "counting", "all", "counting/parsing", "seconds", "bill")
    figures = {}
    for shape in TABLES:
        with served(shape, size_bytes) as url:
            made = reading(url)
        figures[shape.lower()] = {**asdict(made), "times": made.times}
        table.add_row(
            shape,
            f"{made.read_bytes / 1e6:,.0f} MB",
            f"{made.items:,}",
            f"{made.peak_mb:.0f} MB",
            *(f"{part:.1f} µs" for part in (made.parsing, made.counting, made.whole)),
            f"{made.times:.2f}",
            f"{made.seconds:.0f}",
            f"${made.bill['total']:.4f}",
        )
    Console(width=120).print(table)
    return figures
