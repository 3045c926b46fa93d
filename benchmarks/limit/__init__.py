"""Measure how close the choice of the Limit is to the best possible one. See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "How close is the choice of the Limit to the best possible one?"
MEASURED = (
    "The product's own plan, batch and policy over tables in memory with 300 item collections each: 28 plain shapes, "
    "59 more with names, 15 that change along the way, and 40 drawn at random. The cost counts read units and "
    "requests. The best fixed Limit and the policy that sees the table are bounds: nobody knows them beforehand."
)
QUICK_COLLECTIONS, QUICK_RANDOM = 300, 40
LIMIT_1 = "Limit=1"
GROUPS = {"28": "28 plain"}
PEERS = {
    LIMIT_1: "the blog's sample (PrintDistinctPKs), Limit=1",
    "best fixed": "the best fixed Limit, known afterwards alone",
    "better static": "the better of Limit=1 and a full scan",
    "clairvoyant": "a policy that sees the table",
}
BOUNDS = ("best fixed", "clairvoyant")
"""What no program can choose, so no peer."""


def quick() -> dict[str, Any]:
    """Return the ratios over all named shapes and random ones with 300 item collections, one seed."""
    from benchmarks.limit.__main__ import rows  # noqa: PLC0415  (numpy takes its time)
    from benchmarks.limit.report import show  # noqa: PLC0415
    from benchmarks.limit.results import summaries  # noqa: PLC0415

    measured = rows([QUICK_COLLECTIONS], [1], QUICK_RANDOM, draw=1)
    show(measured)
    return {"limit": summaries(measured)[QUICK_COLLECTIONS]}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the choice of Limit stands beside Limit=1 and a full scan, and its mean beside the bounds."""
    for name, ratio in figures["limit"].items():
        if "percentile" in name or name.endswith("best fixed, worst"):
            continue
        group, _, rest = name.partition(": ")
        compared, _, figure = rest.partition(", ")
        ours, theirs = (ratio, 1.0) if compared.startswith("ours / ") else (1.0, ratio)
        peer = compared.removeprefix("ours / ").removesuffix(" / ours")
        shown = f"{figure}, geometric mean" if peer == LIMIT_1 else f"cost, {figure}"
        row = Standing.less(Kind.COUNT, PEERS[peer], f"{shown}, {GROUPS.get(group, group)} shapes", ours, theirs)
        yield row._replace(is_bound=peer in BOUNDS)
