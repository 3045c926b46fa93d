"""A run of any number of keys: its consumption of the services, computed from measured figures."""

import json
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from benchmarks.blog_table.finish import Finished
from benchmarks.blog_table.measurement import TURN_EVENTS, WORKER_EVENTS, Measurement
from benchmarks.blog_table.planned import planned
from benchmarks.blog_table.table import Shape, description
from benchmarks.blog_table.turns import BOUNDS, LAMBDA_SECONDS
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.scan.plan import Plan

HEADS_PER_SECOND = 800
"""Sixteen at once, 20 ms each: an assumption."""


@dataclass(frozen=True)
class Scale:
    """A run over collections like the blog's, at one worker's measured pace."""

    measured: Measurement
    finish: tuple[Finished, Finished]
    keys: int
    asked_workers: int | None = None

    @property
    def table_bytes(self) -> int:
        shape = Shape.table(self.keys)
        return shape.collections * shape.length * shape.item_bytes

    @property
    def segments(self) -> int:
        return self._plan.segments

    @property
    def workers(self) -> int:
        return self._plan.workers

    @property
    def read_units(self) -> float:
        return self.measured.read_units / self.measured.keys * self.keys

    @property
    def hours(self) -> float:
        requests = self.measured.requests / self.measured.keys * self.keys
        return requests / self.requests_per_second / 3600

    @property
    def requests_per_second(self) -> float:
        return self.measured.requests_per_second / (self.measured.workers or 1) * self.workers

    @property
    def read_units_per_second(self) -> float:
        return self.read_units / (self.hours * 3600)

    @property
    def turns(self) -> int:
        batches = self.hours * 3600 / (BOUNDS.seconds or LAMBDA_SECONDS)
        return ceil(max(batches, self.keys / self.workers / (BOUNDS.keys or self.keys)))

    @property
    def history_events(self) -> int:
        return WORKER_EVENTS + TURN_EVENTS * self.turns

    @property
    def report_bytes(self) -> int:
        """Return the size of all workers' reports in the state before Finish."""
        counts = {"keys": self.keys, "items": 1000 * self.keys, "requests": self.keys, "read_units": self.keys + 0.5}
        report = {"worker": self.workers, "parts": self.turns, **counts, "skips_ignored": 0}
        return self.workers * len(json.dumps(report))

    @property
    def parts(self) -> int:
        return self.workers * self.turns

    @property
    def manifest_mb(self) -> float:
        few, many = self.finish
        return self.parts * (many.manifest_bytes - few.manifest_bytes) / (many.parts - few.parts) / 1e6

    @property
    def finish_memory_mb(self) -> float:
        few, many = self.finish
        return few.peak_memory_mb + self.parts * (many.peak_memory_mb - few.peak_memory_mb) / (many.parts - few.parts)

    @property
    def finish_seconds(self) -> float:
        """Finish requests each part, and compares each with its worker."""
        _, many = self.finish
        comparing = many.cpu_seconds * self.parts * self.workers / (many.parts * many.workers)
        return self.parts / HEADS_PER_SECOND + comparing

    @property
    def dollars(self) -> float:
        return self.measured.bill.total / self.measured.keys * self.keys

    @cached_property
    def _plan(self) -> Plan:
        if self.asked_workers is None:
            return planned({}, self.keys, Shape.table(self.keys)).plan
        return plan_listing(parse({"table": "Blog", "workers": self.asked_workers}), description(self.keys))
