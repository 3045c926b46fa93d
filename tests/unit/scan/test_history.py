"""A worker's turns fit into its execution's history, or the run is refused before it starts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.errors import Mention, parts_of, rendered
from skipscan.scan.history import Fitted, Workload, fitted

DAY = 86_400.0


def test_a_run_that_is_too_long_for_one_worker_has_more() -> None:
    fit = fitted(Workload(1e9, 100 * DAY, None), 1, 240.0, is_fixed=False, most_workers=100)
    assert (fit.workers, fit.batch_seconds, fit.refusal) == (12, None, None)


def test_a_rate_that_makes_a_run_long_makes_its_batches_long() -> None:
    """More workers share the rate, and each of them turns until the end."""
    fit = fitted(Workload(20 * DAY, 3600, 1.0), 4, 240.0, is_fixed=False, most_workers=100)
    assert (fit.workers, fit.batch_seconds, fit.refusal) == (4, 780.0, None)


def test_what_nothing_helps_is_refused_with_the_ways_out() -> None:
    fit = fitted(Workload(100 * DAY, 3600, 1.0), 4, 240.0, is_fixed=False, most_workers=100)
    assert fields(fit) == ["max_read_units_per_second", "max_read_units", "resume"]
    assert figures(fit.refusal) == ["100", "25,000", "27", "780"]
    assert figures(rendered(fit.remedy)) == ["4", "2,340,000"]


def fields(fit: Fitted) -> list[str]:
    return [name for part in parts_of(fit.remedy) if isinstance(part, Mention) for name in part.fields]


def figures(text: str | None) -> list[str]:
    return re.findall(r"\d+(?:,\d{3})*", text or "")


def test_too_few_requested_workers_are_refused_with_the_number_that_is_enough() -> None:
    fit = fitted(Workload(1e9, 100 * DAY, None), 1, 240.0, is_fixed=True, most_workers=100)
    assert fit.refusal is not None
    assert (fields(fit)[0], figures(rendered(fit.remedy))[0]) == ("workers", "4")
    assert fitted(Workload(1e9, 100 * DAY, None), 4, 240.0, is_fixed=True, most_workers=100).refusal is None


def test_requested_workers_whose_histories_their_batches_fill_are_refused_with_the_number_that_is_enough() -> None:
    fit = fitted(Workload(1e9, 240, None, 10_000), 1, 240.0, is_fixed=True, most_workers=100)
    assert fields(fit) == ["workers", "max_read_units", "resume"]
    assert figures(fit.refusal) == ["10,000", "25,000", "3,000"]
    assert figures(rendered(fit.remedy)) == ["4", "299,990,769"]


@given(
    units=st.floats(0, 1e12),
    seconds=st.floats(0, 1e10),
    rate=st.none() | st.floats(0.5, 1e6),
    workers=st.integers(1, 1000),
    batch_seconds=st.floats(1, 780),
    batches=st.just(0.0) | st.floats(0, 1e8),
    is_fixed=st.booleans(),
)
def test_a_workload_is_refused_exactly_if_it_does_not_fit(
    units: float,
    seconds: float,
    rate: float | None,
    workers: int,
    batch_seconds: float,
    *,
    batches: float,
    is_fixed: bool,
) -> None:
    workload = Workload(units, seconds, rate, batches)
    fit = fitted(workload, workers, batch_seconds, is_fixed=is_fixed, most_workers=max(workers, 900))
    turns = workload.duration_seconds(fit.workers) / (fit.batch_seconds or batch_seconds) + batches / fit.workers
    assert (turns <= 3_000 * (1 + 1e-9)) is (fit.refusal is None)
    assert not is_fixed or fit.workers == workers


@pytest.mark.parametrize("workers", [1, 16, 1000])
def test_no_run_at_a_rate_is_saved_by_more_workers(workers: int) -> None:
    assert Workload(100 * DAY, 0, 1.0).duration_seconds(workers) == 100 * DAY
