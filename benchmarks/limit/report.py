"""The rows as a table on the terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.limit.figures import Row, summary

WAYS = ("blog", "full_scan", "best_fixed", "clairvoyant", "ours")


def show(rows: Sequence[Row]) -> None:
    """Print what every way costs, a shape a line, and the ratios over all."""
    console = Console(width=118)
    for counted, title in (("cost", "read units + 0.25 per request"), ("read_units", "read units alone")):
        table = Table(title=title, title_justify="left")
        table.add_column("item collections x items")
        for name in ("Limit=1", "full scan", "best fixed", "(Limit)", "clairvoyant", "ours", "/ fixed", "/ static"):
            table.add_column(name, justify="right")
        for row in (row for row in rows if row.counted == counted):
            blog, full, best, least, own = (row.cost(way) for way in WAYS)
            costs = [f"{cost:,.0f}" for cost in (blog, full, best)]
            ratios = [f"{own / best:.3f}", f"{own / row.better_static:.3f}"]
            table.add_row(row.shape, *costs, f"{row.limit:,}", f"{least:,.0f}", f"{own:,.0f}", *ratios)
        console.print(table)
    for counted, by_name in summary(rows).items():
        for name, ratio in by_name.items():
            console.print(f"{counted}.{name}: {ratio}")
