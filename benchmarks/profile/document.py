"""The table of docs/profile.md: `python -m benchmarks.profile.document` writes it from results.json."""

from collections.abc import Mapping
from typing import Any

from benchmarks.kept import Block


def table(results: Mapping[str, Any]) -> str:
    """Return a row for each of the demo's tables."""
    rows = [
        "| the demo's table | peak memory | counting an item | all together | processor time | read units |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for shape, made in results["tables"].items():
        rows.append(
            f"| {shape.capitalize()}, {made['read_bytes'] / 1e9:.2f} GB, {made['items']:,} items "
            f"| {made['peak_mb']:.0f} MB | {made['times']:.1f} | {made['whole'] / made['parsing']:.1f} "
            f"| {made['whole'] * made['items'] / 1e6:.0f} s | ${made['bill']['units']:.4f} |"
        )
    return f"Measured on {results['measured']}:\n\n" + "\n".join(rows)


PROFILE = Block("profile", "docs/profile.md", "reading", table)

if __name__ == "__main__":
    PROFILE.renew()
