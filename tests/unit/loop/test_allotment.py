"""What an attempt may take of its worker's budgets, whatever attempts before it or beside it were lost."""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

import pytest

from skipscan.loop.allotment import PLAN, PlanAttempt, allot, declare_lost
from skipscan.pace.bill import NOTHING, Amounts, Spending

PAGE = Amounts(10.0, 0.0, 0.001)


class Declarations:
    """The declarations of one worker's attempts. `beside`: is called while a declaration is put."""

    def __init__(self, others: Iterable[tuple[str, Amounts]] = (), beside: Callable[[], None] = lambda: None) -> None:
        self.all = list(others)
        self.put: list[tuple[int, int]] = []
        self._beside = beside

    def declare(self, worker: int, batch: int, attempt: str, amounts: Amounts) -> None:
        self.put.append((worker, batch))
        self.all.append((attempt, amounts))
        self._beside()

    def declared(self, worker: int) -> list[tuple[str, Amounts]]:
        return list(self.all)


def units(read_units: float) -> Amounts:
    return Amounts(read_units, 0.0, 0.0)


def allotted(
    results: Declarations, *, share: float = 1000, consumed: float = 100, committed: float = 0
) -> tuple[float, float, float, float]:
    """Return what the worker may have read at the end, what the attempt declared, and the spending from then on."""
    stored: Any = results
    amounts, spending = allot(
        stored,
        1,
        7,
        "mine",
        share=units(share),
        consumed=units(consumed),
        page=units(10),
        so_far=Spending(allotted=units(committed)),
    )
    assert results.put == [(1, 7)]
    declared = dict(results.all)["mine"].read_units
    return amounts.read_units, declared, spending.allotted.read_units, spending.lost.read_units


def test_an_attempt_takes_a_quarter_of_what_is_left_and_declares_one_page_more() -> None:
    assert allotted(Declarations()) == (100 + 225, 235, 235, 0)


def test_what_a_lost_attempt_declared_counts_as_consumed() -> None:
    lost = Declarations([("lost", units(300)), ("lost too", units(100))])
    assert allotted(lost) == (100 + 400 + 125, 135, 135, 400)


def test_what_another_attempt_declares_meanwhile_is_left_to_it() -> None:
    """Both have declared before either reads: each sees the other's declaration, and they never take it twice."""
    results = Declarations(beside=lambda: results.all.append(("beside", units(800))))
    assert allotted(results) == (100 + 800 + 100, 235, 235, 800)
    results = Declarations(beside=lambda: results.all.append(("beside", units(2_000))))
    assert allotted(results)[0] == 100 + 2_000, "nothing is left"


def test_a_budget_that_is_not_asked_for_is_declared_as_nothing_and_dollars_to_the_millionth() -> None:
    results: Any = Declarations()
    share, so_far = Amounts(inf, inf, 1.0), Spending()
    amounts, _ = allot(results, 0, 0, "mine", share=share, consumed=NOTHING, page=PAGE, so_far=so_far)
    assert amounts == Amounts(inf, inf, 0.25)
    ((_, declared),) = results.all
    assert declared == Amounts(0, 0, 0.251)
    declare_lost(results, 0, 0, "other", Amounts(0.5, 1.5, 0.0000012))
    assert results.all[1:] == [("other", Amounts(1, 2, 0.000002))]


def fail(attempt: PlanAttempt) -> None:
    with pytest.raises(KeyError), attempt:
        raise KeyError


def test_a_failed_plan_declares_what_it_read_in_place_of_what_it_could_read() -> None:
    results: Any = Declarations([("before", units(70)), ("before", units(30))])
    attempt = PlanAttempt(results, "mine")
    attempt.declare(500)
    attempt.read_units = 41.5
    assert attempt.sampled_units() == 41.5 + 30
    fail(attempt)
    assert results.put == [(PLAN, 0), (PLAN, 1)]
    assert PlanAttempt(results, "next").sampled_units() == 42 + 30
