"""How much processor time does a request take, and how fast is a whole run? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "How fast is one worker, and how much processor time does a page take?"
MEASURED = (
    "One worker with its own client, beside programs with boto3, all over the same requests or the same table, in "
    "turns."
)
BLOG = "the blog's sample (PrintDistinctPKs), Limit=1"
PARALLEL = "a parallel scan, boto3, 16 segments and threads"
MILLISECONDS = 50.0
"""From afar: how late each answer comes."""


def quick() -> dict[str, Any]:
    from benchmarks.client.report import report  # noqa: PLC0415 - boto3 is slow to import

    return report(full=False)


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how one worker stands beside boto3, the blog's script and a parallel scan."""
    for shape, race in figures["wall"].items():
        label = f"seconds for all keys, 5 ms away, {shape} item collections"
        yield Standing.less(Kind.HERE, BLOG, label, race["seconds"], race["blog_seconds"])
    far = figures["far"]
    serial = far["keys"] * MILLISECONDS / 1000
    label = (
        f"seconds for {far['keys']:,} long item collections, {MILLISECONDS:.0f} ms away, one request after the other"
    )
    yield Standing.less(Kind.HERE, BLOG, label, far["seconds"], serial)
    beside = figures["parallel"]
    label = f"{beside['keys']:,} keys with 20 to 100 small items"
    for kind, figure in ((Kind.HERE, "seconds"), (Kind.COUNT, "read_units")):
        shown = f"{figure.replace('_', ' ')}, {label}"
        yield Standing.less(kind, PARALLEL, shown, beside[figure], beside[f"parallel_{figure}"])
    for name, page in {"small_page": "8 items", "full_page": "1 MB"}.items():
        ratio = figures["client"][name]["cpu_ratio"]
        shown = f"processor time for a page of {page}, with its keys as lines in a part"
        yield Standing.less(Kind.HERE, "client.scan of boto3 alone", shown, ratio, 1.0)
    for job, made in figures["items"].items():
        rates = made["items_per_second"], made["items_per_second_over_boto3"]
        yield Standing.more(Kind.HERE, "the same worker over boto3", f"items a second, {job}", *rates)
