"""A budget too small for a single request is refused, with the smallest sensible budget."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError
from skipscan.retrofit.input import RetrofitInput
from tests.fakes.small_table import DESCRIPTION
from tests.refusal import refused
from tests.simulation.money.driver import drive, planned
from tests.simulation.money.work import Act, Copy, Items, Retrofit

pytestmark = pytest.mark.slow

LARGE = 100 * 1024


@pytest.mark.parametrize("kind", [Retrofit, Copy])
@pytest.mark.parametrize(
    ("name", "least", "why"),
    [
        ("max_write_units", 100, "a write takes about that many"),
        ("max_read_units", 12.5, "Plan's samples and a page of one item"),
        ("max_dollars", 0.000455, "the other services cost about that much for one write"),
    ],
)
def test_of_a_job_over_items(kind: type[Items], name: str, least: float, why: str) -> None:
    with refused(InputError, name, 0.99 * least, rule=f"a job over table .* needs at least {least:g}, because {why}"):
        assert kind(((name, 0.99 * least),), 1, LARGE).plan
    assert kind(((name, least),), 1, LARGE).plan.workers == 1


@pytest.mark.parametrize(("name", "least"), [("max_write_units", 100), ("max_dollars", 0.000453)])
def test_of_an_act(name: str, least: float) -> None:
    with refused(InputError, name, 0.99 * least, rule=f"an act on table .* needs at least {least:g}, because "):
        assert Act(((name, 0.99 * least),), 1, 100.0, keys=10).plan
    assert Act(((name, least),), 1, 100.0, keys=10).plan.workers == 1


def test_of_a_job_that_is_resumed() -> None:
    begun = Retrofit((("max_write_units", 500),), 1, LARGE).plan
    table = TableDescription.from_json(DESCRIPTION)
    asked = RetrofitInput(table="Audit", templates={}, resume="begun", max_write_units=99)
    with refused(InputError, "max_write_units", 99, rule="at least 100"):
        begun.resumed(asked, table, table, US_EAST_1)
    assert begun.resumed(replace(asked, max_write_units=100), table, table, US_EAST_1).max_write_units == 100


def test_a_copy_that_only_compares_writes_nothing() -> None:
    comparing = replace(Copy((("max_write_units", 100),), 1, LARGE).plan, compare_only=True, max_write_units=1)
    assert comparing.checked().max_write_units == 1


def least_of(plan: Callable[[float], Any]) -> float:
    """Return the smallest useful budget that the refusal of a tiny one names."""
    with pytest.raises(InputError) as refused:
        plan(1e-9)
    match = re.search(r"needs at least ([0-9.e+-]+), because", refused.value.rule)
    assert match
    return float(match[1])


def check_least(job: Callable[[float], Items | Act]) -> None:
    """Fail unless the budget that a refusal names is taken, and settles an item or a key until it is used up."""
    least = least_of(lambda budget: job(budget).plan)
    with pytest.raises(InputError):
        assert job(0.99 * least).plan
    assert any(reached.counts.units_done for reached in drive(job(least)).reached.values())


NAMES = st.sampled_from(["max_read_units", "max_write_units", "max_dollars"])


@given(
    st.sampled_from([Retrofit, Copy]),
    NAMES,
    st.integers(1, 30),
    st.tuples(st.sampled_from([50, 200, 3_000, 5_000, 20_000, 100_000, 390 * 1024]), st.booleans()),
    st.sampled_from([0.0, 0.5, 9.5, 123_456.5]),
)
def test_the_budget_that_a_refusal_names_is_taken_and_settles_something(
    kind: type[Items], name: str, workers: int, items: tuple[int, bool], sampled: float
) -> None:
    check_least(lambda budget: kind(((name, budget),), workers, *items, sampled=sampled))


@given(
    st.sampled_from(["max_write_units", "max_dollars"]),
    st.integers(1, 30),
    st.floats(1.0, 400.0) | st.sampled_from([1.0, 7.0, 1.0000004]),
    st.booleans(),
)
def test_the_budget_that_the_refusal_of_an_act_names_is_taken_and_settles_something(
    name: str, workers: int, units: float, looks: bool
) -> None:
    check_least(lambda budget: Act(((name, budget),), workers, units, keys=3_000, looks=looks))


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
    begun = kind(((name, large),), 30)
    assert begun.plan.workers > 1
    is_of_reading = isinstance(begun, Items) and name != "max_write_units"

    def resumed(budget: float) -> Any:
        plan: Any = begun.plan
        new = {"reading": replace(plan.reading, **{name: budget})} if is_of_reading else {name: budget}
        return replace(begun.plan, **new).checked(workers=begun.plan.workers)

    least = least_of(resumed)
    with pytest.raises(InputError):
        resumed(0.99 * least)
    consumed = drive(planned(begun, resumed(least)))
    assert min(reached.counts.units_done for reached in consumed.reached.values()) > 0


@pytest.mark.parametrize("name", ["max_read_units", "max_dollars"])
def test_the_refusal_of_resumed_work_names_what_its_pages_and_its_writes_need(name: str) -> None:
    """Not first what a run over the table would need, and then more."""
    begun, table = Retrofit(workers=30, item_bytes=3_000).plan, TableDescription.from_json(DESCRIPTION)
    assert begun.workers > 1

    def resumed(budget: float) -> Any:
        asked = RetrofitInput(table="Audit", templates={}, resume="begun", **{name: budget})  # type: ignore[arg-type]
        return begun.resumed(asked, table, table, US_EAST_1)

    assert resumed(least_of(resumed)).limits.budget.is_bounded
