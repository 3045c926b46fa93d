"""Measure how close the choice of the Limit is to the best possible one. See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing

QUICK_COLLECTIONS, QUICK_RANDOM = 300, 40
PEERS = {
    "best fixed": "best fixed Limit, known afterwards",
    "better static": "better of Limit=1 and full scan",
    "clairvoyant": "a policy that sees the table",
}


def quick() -> dict[str, Any]:
    """Return the ratios over all named shapes and random ones with 300 item collections, one seed."""
    from benchmarks.limit.__main__ import rows  # noqa: PLC0415  (numpy takes its time)
    from benchmarks.limit.report import show  # noqa: PLC0415
    from benchmarks.limit.results import summaries  # noqa: PLC0415

    measured = rows([QUICK_COLLECTIONS], [1], QUICK_RANDOM, draw=1)
    show(measured)
    return {"limit": summaries(measured)[QUICK_COLLECTIONS]}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the choice of Limit stands beside the best fixed Limit, which is known afterwards alone."""
    for name, ratio in figures["limit"].items():
        for peer in ("best fixed", "better static", "clairvoyant"):
            group, found, figure = name.partition(f": ours / {peer}, ")
            if found:
                label = f"cost, {group}, {QUICK_COLLECTIONS} collections, {figure}"
                yield Standing.less(PEERS[peer], label, ratio, 1.0)
