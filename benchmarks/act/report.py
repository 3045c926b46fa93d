"""Items a second, requests and write units of each way to put a marker for every key, on the same dynalite."""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter
from typing import Any

from botocore.config import Config

from benchmarks.act.by_hand import put_in_batches, put_one_by_one
from benchmarks.act.job import put_by_job
from benchmarks.client.distance import away
from benchmarks.client.shapes import Shape
from local.dynalite import dynalite
from local.embedded import SESSION
from local.server import HOST
from skipscan.act.plan import THREADS
from skipscan.aws import clients, lean

DISTANCE_MILLISECONDS = 5.0
ROUNDS = 3
KEYS, KEYS_ONE_BY_ONE = 1_000, 150
"""The loop is slow, so it stops early: every key takes the same time."""

Put = Callable[[str, list[str]], tuple[int, float]]


@dataclass(frozen=True)
class Way:
    """`items_per_second`: the median of the rounds. The other figures are for a thousand keys."""

    items_per_second: int
    requests: float
    write_units: float


def report() -> dict[str, Any]:
    """Return the section `act`; takes about twenty seconds."""
    os.environ["no_proxy"] = HOST
    with dynalite() as near, away(near, DISTANCE_MILLISECONDS) as far:
        bare = SESSION.client("dynamodb", endpoint_url=far, config=Config(retries={"mode": "standard"}))
        ours = lean.lean_dynamodb(SESSION, THREADS, far, notify=print)

        def by_job(table: str, keys: list[str]) -> tuple[int, float]:
            counts = put_by_job(ours, table, keys)
            if counts.put != len(keys):
                raise RuntimeError(f"{counts.put} items put of {len(keys)}")
            return counts.requests, counts.write_units

        ways: dict[str, tuple[int, Put]] = {
            "job": (KEYS, by_job),
            "one_by_one": (KEYS_ONE_BY_ONE, lambda table, keys: put_one_by_one(bare, table, keys)),
            "batches_of_25": (KEYS, lambda table, keys: put_in_batches(bare, table, keys)),
        }
        rates: dict[str, list[float]] = {name: [] for name in ways}
        consumed: dict[str, tuple[float, float]] = {}
        for number in range(ROUNDS):  # in turns, so that other load on the machine affects all ways alike
            for name, (count, put) in ways.items():
                table, keys = f"{name}-{number}", [f"customer-{key:06d}" for key in range(count)]
                Shape(table, [], 0).load(clients.dynamodb(SESSION, 1, near))
                begun = perf_counter()
                requests, write_units = put(table, keys)
                rates[name].append(count / (perf_counter() - begun))
                consumed[name] = (1000 * requests / count, 1000 * write_units / count)
    found = {name: Way(round(median(rates[name])), *consumed[name]) for name in ways}
    figures: dict[str, Any] = {name: asdict(way) for name, way in found.items()}
    for name in ("one_by_one", "batches_of_25"):
        figures[f"job_vs_{name}"] = round(median(a / b for a, b in zip(rates["job"], rates[name], strict=True)), 2)
    print("way               items/s   requests and write units for 1,000 items")
    for name, way in found.items():
        print(f"{name:15}{way.items_per_second:10,}{way.requests:11,.0f}{way.write_units:10,.0f}")
    for name in ("one_by_one", "batches_of_25"):
        print(f"The job puts {figures[f'job_vs_{name}']:.1f} times as many items a second as {name}.")
    return {"act": figures}
