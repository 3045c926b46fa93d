"""What do the blog's ways to list the keys take, and what does ours? See benchmarks/README.md."""

from typing import Any

from benchmarks.blog_table import report
from benchmarks.blog_table.ways import FULL_SCAN, MARKER_INDEX, OURS, blog, figures

COLLECTIONS = 2_000_000
COMPARED = ("read_units", "requests", "client_cpu_seconds", "hours")
LOOP = ("workers", "turns", "history_events", "state_bytes", "parts", "share")


def quick() -> dict[str, Any]:
    """Print the table of the blog's ways from a share of the segments, and return its figures."""
    full_scan = figures(FULL_SCAN, COLLECTIONS, 0.005)
    marker_index = figures(MARKER_INDEX, COLLECTIONS)
    skip = blog(COLLECTIONS, 0.05)
    ours = figures(OURS, COLLECTIONS, 0.1)
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
            "memory_growth_mb": max((way.peak_memory_mb or 0) - (way.first_batch_memory_mb or 0) for way in loops),
        }
    }
