"""Budgets are exceeded by no more than the plan states; one that is too small is refused, with the smallest useful."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.errors import InputError
from skipscan.pace.limits import OVERRUN
from tests.refusal import refused
from tests.simulation.money.work import LARGE, SIZES, Act, Copy, Items, Listing, Retrofit, Work
from tests.simulation.money.world import drive

pytestmark = pytest.mark.slow

OF_ITEMS = [(("max_read_units", 50), 4, 1), (("max_write_units", 400), 8, 0), (("max_dollars", 0.0007), 2, 0)]
"""Budgets, workers, and the first of the sizes: so many units read thousands of small items, and all are written."""

BUDGETS: list[Work] = [
    *(
        Listing(budget, None, workers, sort_key, **sizes)
        for budget, workers in ((0.5, 4), (100, 32))
        for sort_key in (True, False)
        for sizes in SIZES
    ),
    *(Listing(8_000, None, 1000, sort_key, **sizes) for sort_key in (True, False) for sizes in SIZES[1:]),
    *(Listing(workers=workers, max_dollars=most, item_bytes=20_000) for most, workers in ((0.0005, 4), (0.005, 30))),
    *(
        kind((bound,), workers, **sizes)
        for kind in (Retrofit, Copy)
        for bound, workers, first in OF_ITEMS
        for sizes in SIZES[first:]
    ),
    *(
        Act((bound,), 4, units, keys=3_000)
        for bound in (("max_write_units", 400), ("max_dollars", 0.0007))
        for units in (1.0, 25.0, 390.0)
    ),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("lost", [0, 5])
@pytest.mark.parametrize("work", BUDGETS, ids=str)
def test_a_budget_is_used_up_and_exceeded_by_no_more_than_the_plan_states(work: Work, lost: int) -> None:
    money = drive(work, lost=lost, seconds=3600)
    taken, asked, overrun = vars(money.amounts), vars(work.plan.limits.budget), work.plan.limits.overrun
    for name, most in money.stated.items():
        assert taken[name] <= asked[name] + most
        assert work.plan.workers == 1 or overrun[name] <= OVERRUN * asked[name] * 1.001
    # But for less than a request of each worker, and for what is declared by attempts that are lost.
    assert lost or any(taken[name] + most >= asked[name] for name, most in overrun.items())


@pytest.mark.sampled(7)
@pytest.mark.parametrize("lost", [0, 5])
@pytest.mark.parametrize("large", [1, 2, 20])
@pytest.mark.parametrize("workers", [1, 30])
@pytest.mark.parametrize("bound", [("max_write_units", 8_000), ("max_write_units", 100_000), ("max_dollars", 0.003)])
def test_a_budget_is_exceeded_by_items_that_nobody_knew_are_large_by_no_more_than_the_plan_states(
    bound: tuple[str, float], workers: int, large: int, lost: int
) -> None:
    """Nobody knows of them until a write to them is billed."""
    money = drive(Act((bound,), workers, keys=3_000, large=large), lost=lost)
    unit = bound[0].removeprefix("max_")
    assert vars(money.amounts)[unit] <= bound[1] + money.stated[unit]


# The smallest useful budget.

OF_JOBS = [
    ("max_write_units", 100, "a write takes about that many"),
    ("max_read_units", 12.5, "Plan's samples and a page of one item"),
    ("max_dollars", 0.000455, "the other services cost about that much for one write"),
]


@pytest.mark.parametrize(
    ("work", "name", "least", "why"),
    [
        *((kind(workers=1, item_bytes=100 * 1024), *each) for kind in (Retrofit, Copy) for each in OF_JOBS),
        (Act(workers=1, units=100.0, keys=10), "max_write_units", 100, "a request takes about that many"),
        (Act(workers=1, units=100.0, keys=10), "max_dollars", 0.000453, "the other services cost about that much"),
    ],
    ids=str,
)
def test_a_smaller_budget_is_refused(work: Items | Act, name: str, least: float, why: str) -> None:
    what = f"{'an act on' if isinstance(work, Act) else 'a job over'} table .* needs at least {least:g}, because {why}"
    with refused(InputError, name, 0.99 * least, rule=what):
        assert replace(work, bounds=((name, 0.99 * least),)).plan
    assert replace(work, bounds=((name, least),)).plan.workers == 1


def test_a_smaller_budget_of_a_job_that_is_resumed_is_refused() -> None:
    begun = Retrofit((("max_write_units", 500),), 1, 100 * 1024)
    with refused(InputError, "max_write_units", 99, rule="at least 100"):
        begun.resumed(max_write_units=99)
    assert begun.resumed(max_write_units=100).plan.max_write_units == 100


def test_a_copy_that_only_compares_writes_nothing() -> None:
    comparing = replace(Copy((("max_write_units", 100),)).plan, compare_only=True, max_write_units=1)
    assert comparing.checked().max_write_units == 1


def least_of(plan: Callable[[float], Any]) -> float:
    """Return the smallest useful budget that the refusal of a tiny one names."""
    with pytest.raises(InputError) as refused:
        plan(1e-9)
    match = re.search(r"needs at least ([0-9.e+-]+), because", refused.value.rule)
    assert match
    least = float(match[1])
    with pytest.raises(InputError):
        plan(0.99 * least)
    return least


NAMES = st.sampled_from(["max_read_units", "max_write_units", "max_dollars"])
JOBS = st.builds(
    lambda kind, name, workers, items, sampled: (kind(workers=workers, sampled=sampled, **items), name),
    st.sampled_from([Retrofit, Copy]),
    NAMES,
    st.integers(1, 30),
    st.fixed_dictionaries(
        {"item_bytes": st.sampled_from([50, 200, 3_000, 5_000, 20_000, 100_000, LARGE]), "is_mixed": st.booleans()}
    ),
    st.sampled_from([0.0, 0.5, 9.5, 123_456.5]),
)
ACTS = st.builds(
    lambda name, workers, units, looks: (Act((), workers, units, keys=300, looks=looks), name),
    st.sampled_from(["max_write_units", "max_dollars"]),
    st.integers(1, 30),
    st.floats(1.0, 400.0) | st.sampled_from([1.0, 7.0, 1.0000004]),
    st.booleans(),
)


@given(JOBS | ACTS)
def test_the_budget_that_a_refusal_names_is_taken_and_settles_something(case: tuple[Items | Act, str]) -> None:
    work, name = case
    least = least_of(lambda budget: replace(work, bounds=((name, budget),)).plan)
    assert any(drive(replace(work, bounds=((name, least),)), seconds=3).units_done)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("kind", "name", "large"),
    [
        *((kind, "max_read_units", 8e5) for kind in (Retrofit, Copy)),
        *((kind, "max_write_units", 8e5) for kind in (Retrofit, Copy, Act)),
        *((kind, "max_dollars", 1.0) for kind in (Retrofit, Copy, Act)),
    ],
)
def test_resumed_work_whose_many_workers_share_the_least_budget_settles_something(
    kind: type[Items] | type[Act], name: str, large: float
) -> None:
    """Work that is resumed keeps its workers: a budget for one request is none once they share it."""
    begun = kind(bounds=((name, large),), workers=30)
    assert begun.plan.workers > 1
    is_of_reading = isinstance(begun, Items) and name != "max_write_units"

    def resumed(budget: float) -> Any:
        plan: Any = begun.plan
        new = {"reading": replace(plan.reading, **{name: budget})} if is_of_reading else {name: budget}
        return replace(begun.plan, **new).checked(workers=begun.plan.workers)

    done = drive(begun.with_plan(resumed(least_of(resumed))), seconds=3).units_done
    assert len(done) == begun.plan.workers
    assert all(done)


@pytest.mark.parametrize("name", ["max_read_units", "max_dollars"])
def test_the_refusal_of_resumed_work_names_what_its_pages_and_its_writes_need(name: str) -> None:
    """Not first what a run over the table would need, and then more."""
    begun = Retrofit(workers=30, item_bytes=3_000)
    assert begun.plan.workers > 1

    def resumed(budget: float) -> Any:
        return begun.resumed(**{name: budget}).plan

    assert resumed(least_of(resumed)).limits.budget.is_bounded
