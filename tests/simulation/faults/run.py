"""Runs schedules, so many from a seed."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.house.suite.seeds import forget_constants_of_modules
from tests.simulation.faults.machine import Schedule
from tests.simulation.world.fault import FaultCounts
from tests.simulation.world.functions import functions

RULES = 12
forget_constants_of_modules()


def run(schedules: int, number: int, *, shrinks: bool = True, **setting: Any) -> FaultCounts:
    """Return the tally of so many schedules; raise what the first bad one shows, cut down to what matters.

    `setting`: what of their `Setting` is the same in all of them.
    """
    phases = (Phase.generate, Phase.shrink) if shrinks else (Phase.generate,)

    class Seeded(Schedule):
        """Hypothesis seeds a class for good, so every run has its own."""

        counts = FaultCounts()
        given = setting

    chosen = settings(
        max_examples=schedules,
        stateful_step_count=RULES,
        phases=phases,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    with functions().simulated(), _imports_left_alone():
        run_state_machine_as_test(seed(number)(Seeded), settings=chosen)
    return Seeded.counts


@contextmanager
def _imports_left_alone() -> Iterator[None]:
    """Keep what is there already out of every garbage collection: looking through it takes a third of the time."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
