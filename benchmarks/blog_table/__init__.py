"""What do the blog's ways to list the keys consume, compared with ours? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.blog_table import report
from benchmarks.blog_table.pace import both
from benchmarks.blog_table.table import Shape, VirtualTable, description
from benchmarks.blog_table.ways import FULL_SCAN, MARKER_INDEX, OURS, blog, figures
from benchmarks.standing import Kind, Standing
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing

QUESTION = "What does it take to list the two million keys of the blog's table?"
MEASURED = (
    "The table of the AWS Database Blog's post: item collections of 1,000 items of 500 bytes, 1 TB, which answer from "
    "a formula. Skipscan's own plan and batches go over a share of the segments."
)
COLLECTIONS = 2_000_000
COMPARED = ("read_units", "requests", "client_cpu_seconds", "hours")
LOOP = ("workers", "turns", "history_events", "state_bytes", "parts", "share")


def quick() -> dict[str, Any]:
    """Print the table of the blog's ways from a part of the segments, and return its figures."""
    full_scan = figures(FULL_SCAN, COLLECTIONS, 0.0005)
    marker_index = figures(MARKER_INDEX, COLLECTIONS, 0.25)
    skip = blog(COLLECTIONS, 0.005)
    ours = figures(OURS, COLLECTIONS, 0.005)
    lambda_ratio = of_boto3()
    print(f"{report.ways([full_scan, marker_index, skip, ours])}\n\n{report.notes()}")
    loops = [full_scan, marker_index, ours]
    named = {"full_scan": full_scan, "marker_index": marker_index, "skip": skip, "ours": ours}
    return {
        "blog_table": {
            "collections": COLLECTIONS,
            **{f"{name}_{figure}": getattr(way, figure) for figure in COMPARED for name, way in named.items()},
            **{f"{name}_dollars": way.bill.total for name, way in named.items()},
            **{f"ours_{figure}": getattr(ours, figure) for figure in LOOP},
            "peak_memory_mb": max(way.peak_memory_mb or 0.0 for way in loops),
            "lambda_of_boto3": lambda_ratio,
            "memory_growth_mb": max((way.peak_memory_mb or 0) - (way.first_batch_memory_mb or 0) for way in loops),
        }
    }


def of_boto3() -> float:
    """Print Lambda's part of the bill compared with `"client": "boto3"`, and return the ratio."""
    decided = plan_listing(parse({"table": "Blog"}), description(COLLECTIONS))
    table = VirtualTable(decided.source, Shape.table(COLLECTIONS), decided.segments)
    ours, over_boto3 = both(decided, table, 300)
    for name, pace in (("as it is", ours), ("over boto3", over_boto3)):
        print(
            f"Lambda, {name}: {pace.cpu_seconds * 1e3:.3f} ms of processor time and {pace.seconds * 1e3:.3f} ms in all "
            f"for a request, {pace.walks} walks"
        )
    ratio = ours.seconds / over_boto3.seconds
    print(f"Lambda's part of the bill, of that over boto3: {ratio:.2f}")
    return ratio


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how a run stands on the blog's table, by what it reads, costs and lasts."""
    peers = {
        "full_scan": "full scan",
        "skip": "the blog's sample (PrintDistinctPKs), Limit=1",
        "marker_index": "a marker index, once its markers exist",
    }
    of = figures["blog_table"]
    for name, peer in peers.items():
        yield Standing.less(Kind.COUNT, peer, "read units", of["ours_read_units"], of[f"{name}_read_units"])
        yield Standing.less(Kind.BILL, peer, "the whole bill, dollars", of["ours_dollars"], of[f"{name}_dollars"])
        yield Standing.less(Kind.HERE, peer, "minutes", 60 * of["ours_hours"], 60 * of[f"{name}_hours"])
    boto3 = 'boto3, by "client": "boto3"'
    yield Standing.less(Kind.HERE, boto3, "Lambda's part of the bill, of boto3's", of["lambda_of_boto3"], 1.0)
