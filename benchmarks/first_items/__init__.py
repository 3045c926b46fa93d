"""What do first and last items cost, compared with other ways to get them? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "What does it take to get the last item of each key, and the keys alone?"
MEASURED = (
    "The demo's table of 85,183 orders by 400 customers on dynalite, with every way executed; and the blog's table as "
    "a formula, with rates of requests that were measured."
)
KEYS, LAST = 0, 1
"""The places of our ways to get the keys, and their last items too, among the ways."""


def quick() -> dict[str, Any]:
    from benchmarks.first_items.blog import blog  # noqa: PLC0415 - boto3 is slow to import
    from benchmarks.first_items.demo import demo  # noqa: PLC0415
    from benchmarks.first_items.document import table  # noqa: PLC0415

    tables = {"demo": demo(rounds=1), "blog": blog(share=1 / 1024)}
    for ways in tables.values():
        print(f"{table(ways)}\n")
    return {
        "first_items": {
            f"{name}_{number}_{figure}": getattr(way, figure)
            for name, ways in tables.items()
            for number, way in enumerate(ways)
            for figure in ("name", "read_units", "requests", "seconds", "dollars")
        }
    }


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the keys, and the keys with their last items, stand beside the ways that find these without us."""
    of = figures["first_items"]
    for table, named in {"demo": "the demo's table", "blog": "the blog's table"}.items():
        numbers = [number for number in range(LAST + 1, len(of)) if f"{table}_{number}_name" in of]
        peers = [(number, of[f"{table}_{number}_name"]) for number in numbers]
        compared = [(KEYS, "keys alone", [peer for peer in peers if "full scan" in peer[1]])]
        compared += [(LAST, "keys with last items", peers)]
        for ours, what, beside in compared:
            for number, peer in beside:
                for kind, figure in ((Kind.COUNT, "read_units"), (Kind.BILL, "dollars")):
                    if theirs := of[f"{table}_{number}_{figure}"]:
                        label = f"{figure.replace('_', ' ')}, {what}, {named}"
                        yield Standing.less(kind, peer, label, of[f"{table}_{ours}_{figure}"], theirs)
