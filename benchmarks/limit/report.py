"""Print the rows as tables on the terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.limit.figures import Row, worst
from benchmarks.limit.results import cell, summaries

SHOWN = 12


def show(rows: Sequence[Row]) -> None:
    """Print the ratios by size, and the costs of all ways on the shapes where ours is worst."""
    console = Console(width=130)
    for counted in dict.fromkeys(row.counted for row in rows):
        by_size = summaries(rows, counted)
        ratios = Table(title=f"Compared by {counted.replace('_', ' ')}", title_justify="left")
        ratios.add_column("over")
        for size in by_size:
            ratios.add_column(f"{size:,} collections", justify="right")
        for name in dict.fromkeys(name for said in by_size.values() for name in said):
            ratios.add_row(name, *(cell(said, name) for said in by_size.values()))
        console.print(ratios)
        for size in by_size:
            of = [row for row in rows if row.counted == counted and row.collections == size]
            console.print(_farthest(f"{size:,} collections, {counted}: farthest above the best fixed Limit", of))


def _farthest(title: str, rows: Sequence[Row]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("item collections x items", width=52, overflow="fold")
    for name in ("seed", "Limit=1", "full scan", "best fixed", "(Limit)", "ours", "segments", "/ fixed", "/ static"):
        table.add_column(name, justify="right")
    for row in worst(rows, SHOWN):
        costs = [f"{row.cost(way):,.0f}" for way in ("blog", "full_scan", "best_fixed")]
        ratios = [f"{row.to_fixed:.3f}", f"{row.to_static:.3f}"]
        own = f"{row.cost('ours'):,.0f}"
        table.add_row(row.shape, str(row.seed), *costs, f"{row.limit:,}", own, f"{row.segments:,}", *ratios)
    return table
