"""The copy, its replicators and their late looks, in every order: the new table ends as the old one says."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.copy.reconciling import Reconciling
from skipscan.dynamodb.source import Item
from skipscan.items.request import Conflict, Written
from tests.suite.examples import examples
from tests.unit.copy.pair import Pair
from tests.unit.copy.schedule import Faults, Schedule

SEEDS = st.integers(0, 2**48)


def check_end(schedule: Schedule) -> None:
    """Run until every event and every late look is handled."""
    counts = schedule.run()
    assert schedule.pair.target == schedule.wanted
    assert counts.items == counts.copied + counts.present + counts.differing + counts.refused
    assert len(schedule.listed) == counts.listed


def check_soon(schedule: Schedule) -> None:
    """Run until every event is handled: where nobody dies, no late look is needed."""
    schedule.run(late=False)
    assert schedule.pair.target == schedule.wanted


@settings(max_examples=examples(800), deadline=None)
@given(SEEDS)
def test_the_new_table_is_what_the_old_one_becomes_when_events_and_late_looks_are_handled(seed: int) -> None:
    check_end(Schedule(seed))


@settings(max_examples=examples(500), deadline=None)
@given(SEEDS)
def test_where_nobody_dies_the_new_table_is_right_as_soon_as_the_events_are_handled(seed: int) -> None:
    check_soon(Schedule(seed, copies=False, dies=False))


@settings(max_examples=examples(300), deadline=None)
@given(SEEDS)
def test_a_copy_never_puts_an_old_item_over_a_newer_one(seed: int) -> None:
    check_soon(Schedule(seed, dies=False, deletes=False))


def test_the_schedules_hold_every_fault() -> None:
    schedules = [Schedule(seed) for seed in range(300)]
    for schedule in schedules:
        schedule.run()
    for fault in vars(Faults()):
        assert sum(getattr(schedule.faults, fault) for schedule in schedules) > 20, fault


class Unconditional(Pair):
    """Mutant: the copy puts whatever is there."""

    def put_new(self, item: Item) -> Written | Conflict:
        self.target[item["id"]["S"]] = item
        return Written(1.0)


class Confident(Reconciling):
    """Mutant: no second look after a write."""

    def written(self) -> None:
        self.step = None


MUTANTS: dict[str, tuple[Callable[[Schedule], None], dict[str, Any]]] = {
    "unconditional put": (check_soon, {"dies": False, "deletes": False, "pair_type": Unconditional}),
    "no late look": (check_end, {"delay_seconds": None}),
    "late look too early": (check_end, {"delay_seconds": 5.0}),
    "late look promised only before a write": (check_end, {"promises_first": False}),
    "no second look": (check_soon, {"copies": False, "dies": False, "reconciling_type": Confident}),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name == "late look too early")) for name in MUTANTS],
)
def test_the_schedules_catch(name: str) -> None:
    check, options = MUTANTS[name]
    assert any(fails(check, Schedule(seed, **options)) for seed in range(3000))


def fails(check: Callable[[Schedule], None], schedule: Schedule) -> bool:
    try:
        check(schedule)
    except AssertionError:
        return True
    return False
