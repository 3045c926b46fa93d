"""The figures of all three questions, printed as they come."""

import os
from collections.abc import Iterator
from typing import Any

from benchmarks.client import cpu, memory, shapes, wall
from local.server import HOST

SMALL_PAGE, FULL_PAGE, TINY_ITEMS = 8, 7_000, 40_000
"""Items a page: of a few, of 1 MB with 150 bytes each, and of 1 MB with 26 bytes each, hardly more than their keys."""


def report(*, full: bool) -> dict[str, Any]:
    """Return the sections `client` and `wall`; the full form takes some ten minutes."""
    os.environ["no_proxy"] = HOST
    return {"client": client(full), "wall": dict(races(full))}


def client(full: bool) -> dict[str, Any]:
    print("CPU a page              ours   bare client.scan   ours of it   on our client   ours of it")
    pages = {"small_page": (SMALL_PAGE, 300), "full_page": (FULL_PAGE, 16)}
    figures: dict[str, Any] = {"cpu_ratio": 0.0}
    for name, (items, count) in pages.items():
        of = cpu.measure(items, pages=count, rounds=25 if full else 7)
        print(f"{name:15}{of.ours:10.2f} ms{of.bare:16.2f} ms{of.ratio:13.2f}{of.lean:13.2f} ms{of.lean_ratio:13.2f}")
        figures["cpu_ratio"] = max(figures["cpu_ratio"], round(of.ratio, 3))
        figures[name] = {
            "cpu_milliseconds": round(of.ours, 3),
            "cpu_ratio": round(of.ratio, 3),
            "cpu_ratio_to_our_client": round(of.lean_ratio, 3),
        }
    for name, items in (("full_page", FULL_PAGE), ("tiny_items", TINY_ITEMS))[: 2 if full else 1]:
        peak_mb = round(memory.peak_mb(items))
        print(f"Peak memory of Scan with pages of {items:,} items: {peak_mb} MB")
        figures[name] = {**figures.get(name, {}), "peak_memory_mb": peak_mb}
    return figures


def races(full: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    tables = [shapes.long(1_200), shapes.short(10_000)]
    if full:
        tables = [shapes.long(3_000), shapes.short(60_000), shapes.skewed()]
    print(
        "\nshape         keys    blog      ours   faster   requests/s   bare client.scan   of it   bare bytes   of it"
    )
    for race in wall.races(tables, rounds=5 if full else 3, blog_keys=1_000 if full else 200):
        print(
            f"{race.shape:8}{race.keys:10,}{race.blog_seconds:6.1f} s{race.seconds:8.2f} s{race.ratio:8.1f}x"
            f"{race.rate:12.0f}{race.engine_rate:19.0f}{race.of_engine_rate:8.0%}{race.wire_rate:13.0f}"
            f"{race.of_wire_rate:8.0%}"
        )
        yield (
            race.shape,
            {
                "ratio": round(race.ratio, 1),
                "of_engine_rate": round(race.of_engine_rate, 3),
                "seconds": round(race.seconds, 3),
                "blog_seconds": round(race.blog_seconds, 1),
                "requests_per_second": round(race.rate),
                "engine_requests_per_second": round(race.engine_rate),
                "of_wire_rate": round(race.of_wire_rate, 3),
                "wire_requests_per_second": round(race.wire_rate),
            },
        )
