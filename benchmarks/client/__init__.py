"""How much processor time does a request take, and how fast is a whole run? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing


def quick() -> dict[str, Any]:
    from benchmarks.client.report import report  # noqa: PLC0415 - boto3 is slow to import

    return report(full=False)


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how one worker stands beside boto3, the blog's script and a parallel scan."""
    for name in ("small_page", "full_page"):
        ratio = figures["client"][name]["cpu_ratio"]
        yield Standing.less("bare client.scan", f"processor time, {name.replace('_', ' ')}", ratio, 1.0)
    for shape, race in figures["wall"].items():
        yield Standing.less("the blog's script", f"seconds, {shape} table", race["seconds"], race["blog_seconds"])
    beside = figures["parallel"]
    for figure in ("seconds", "read_units"):
        yield Standing.less("parallel scan", figure.replace("_", " "), beside[figure], beside[f"parallel_{figure}"])
