"""The figures of all questions, printed one by one."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.client import MILLISECONDS, cpu, far, items, memory, parallel, shapes, wall
from local.authority import authority
from local.server import HOST

SMALL_PAGE, FULL_PAGE, TINY_ITEMS = 8, 7_000, 40_000
"""Items a page: of a few, of 1 MB with 150 bytes each, and of 1 MB with 26 bytes each, hardly more than their keys."""

JOBS = {"retrofit": items.retrofitted, "copy": items.copied}


def report(*, full: bool, sections: Sequence[str] = ()) -> dict[str, Any]:
    """Return the named sections of `SECTIONS`, or all; the full form of all takes about fifteen minutes."""
    os.environ["no_proxy"] = HOST
    for name in ("AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"):  # with these variables, boto3 makes all calls
        os.environ.pop(name, None)
    return {name: SECTIONS[name](full) for name in sections or SECTIONS}


def client(full: bool) -> dict[str, Any]:
    print("CPU a page                ours   over boto3   bare client.scan   ours of it   over boto3   our client alone")
    with TemporaryDirectory() as folder:
        vouching = authority(Path(folder))
        pages = {
            "small_page": (SMALL_PAGE, 300, 3_000, None),
            "small_page_tls": (SMALL_PAGE, 300, 3_000, vouching),
            "full_page": (FULL_PAGE, 16, 16, None),
            "full_page_tls": (FULL_PAGE, 16, 16, vouching),
        }
        if not full:
            pages = {name: of for name, of in pages.items() if not name.endswith("_tls")}
        figures: dict[str, Any] = {"cpu_ratio": 0.0}
        for name, (count, number, long, trusted) in pages.items():
            of = cpu.measure(count, pages=number, long_pages=long, rounds=25 if full else 3, authority=trusted)
            print(
                f"{name:16}{of.ours:11.2f} ms{of.over_boto3:10.2f} ms{of.bare:16.2f} ms{of.ratio:13.2f}"
                f"{of.boto3_ratio:13.2f}{of.lean_ratio:19.2f}"
            )
            figures["cpu_ratio"] = max(figures["cpu_ratio"], round(of.ratio, 3))
            figures[name] = {
                "cpu_milliseconds": round(of.ours, 3),
                "cpu_milliseconds_fastest": round(of.fastest, 3),
                "cpu_ratio": round(of.ratio, 3),
                "cpu_ratio_over_boto3": round(of.boto3_ratio, 3),
                "cpu_ratio_of_client": round(of.lean_ratio, 3),
            }
    for name, count in {"full_page": FULL_PAGE, "tiny_items": TINY_ITEMS}.items() if full else ():
        peak_mb = round(memory.peak_mb(count))
        print(f"Peak memory of Scan with pages of {count:,} items: {peak_mb} MB")
        figures[name] = {**figures.get(name, {}), "peak_memory_mb": peak_mb}
    return figures


def jobs(full: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    print("\nItems of one worker      ours   over boto3   times   CPU an item   of it over boto3")
    for name, job in JOBS.items():
        of = items.measure(job, pages=60 if full else 5, rounds=9 if full else 3)
        print(
            f"{name:16}{of.rate:11.0f}/s{of.over_boto3:11.0f}/s{of.ratio:8.1f}{of.milliseconds:11.2f} ms"
            f"{of.cpu_ratio:19.2f}"
        )
        yield (
            name,
            {
                "items_per_second": round(of.rate),
                "items_per_second_over_boto3": round(of.over_boto3),
                "ratio": round(of.ratio, 2),
                "cpu_milliseconds": round(of.milliseconds, 3),
                "cpu_ratio_to_boto3": round(of.cpu_ratio, 3),
            },
        )


def from_afar(full: bool) -> dict[str, Any]:
    of = far.measure(4_000 if full else 1_000, rounds=5 if full else 1)
    print(
        f"\nskipscan keys, {of.keys:,} long collections {MILLISECONDS:.0f} ms away: {of.seconds:.2f} s, of it "
        f"{of.cpu_seconds:.2f} s of processor time; {of.of_bound:.2f} of sixteen walks' bound, {of.of_sixteen:.2f} of "
        f"what 16 segments take"
    )
    return {name: round(figure, 3) for name, figure in vars(of).items()}


def beside(full: bool) -> dict[str, Any]:
    of = parallel.measure(parallel.tens(2_000 if full else 200), rounds=5 if full else 1)
    print(
        f"\n{of.keys:,} keys with 20 to 100 items of 100 bytes: {of.seconds:.2f} s, {of.requests:,} requests and "
        f"{of.read_units:,.1f} read units; a parallel scan {of.parallel_seconds:.2f} s, {of.parallel_requests:,} and "
        f"{of.parallel_read_units:,.1f}; {of.times:.2f} times the time"
    )
    return {name: round(figure, 3) for name, figure in vars(of).items()}


def races(full: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    tables = [shapes.long(200), shapes.short(2_000)]
    if full:
        tables = [shapes.long(3_000), shapes.short(60_000), shapes.skewed()]
    print(
        "\nshape         keys    blog      ours   faster   requests/s   over boto3   times   bare client.scan   times"
        "   bare bytes   of it"
    )
    for race in wall.races(tables, rounds=5 if full else 1, blog_keys=1_000 if full else 100):
        print(
            f"{race.shape:8}{race.keys:10,}{race.blog_seconds:6.1f} s{race.seconds:8.2f} s{race.ratio:8.1f}x"
            f"{race.rate:12.0f}{race.boto3_rate:13.0f}{race.of_boto3_rate:8.1f}{race.engine_rate:19.0f}"
            f"{race.of_engine_rate:8.1f}{race.wire_rate:13.0f}{race.of_wire_rate:8.0%}"
        )
        yield (
            race.shape,
            {
                "ratio": round(race.ratio, 1),
                "of_boto3_rate": round(race.of_boto3_rate, 2),
                "of_engine_rate": round(race.of_engine_rate, 3),
                "seconds": round(race.seconds, 3),
                "blog_seconds": round(race.blog_seconds, 1),
                "requests_per_second": round(race.rate),
                "requests_per_second_over_boto3": round(race.boto3_rate),
                "engine_requests_per_second": round(race.engine_rate),
                "of_wire_rate": round(race.of_wire_rate, 3),
                "wire_requests_per_second": round(race.wire_rate),
            },
        )


SECTIONS: dict[str, Callable[[bool], dict[str, Any]]] = {
    "client": client,
    "items": lambda full: dict(jobs(full)),
    "far": from_afar,
    "parallel": beside,
    "wall": lambda full: dict(races(full)),
}
