"""Requests are reserved at the most that they can take, and only the last can exceed what is left."""

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import TURN, UNLIMITED, Amounts, amounts, bounded
from skipscan.pace.bounds import WORKER_GB, Bounds
from skipscan.pace.budget import Budget
from skipscan.pace.pace import Fault


def reads(units: float) -> Amounts:
    return Amounts(read_units=units)


def test_pages_begin_together_as_long_as_the_most_of_all_fits() -> None:
    budget = Budget(bounded(100.0, None, None))
    budget.begin(reads(50.0))
    assert budget.may_begin(reads(50.0))
    assert not budget.may_begin(reads(50.5))
    budget.settle(reads(50.0), reads(1.0))
    assert (budget.left.read_units, budget.may_begin(reads(500.0))) == (99.0, True)


def test_each_amount_has_a_room_of_its_own() -> None:
    budget = Budget(bounded(None, 10.0, 1.0))
    budget.begin(Amounts(1e9, 4.0, 0.5))
    assert budget.may_begin(Amounts(1e9, 6.0, 0.5))
    assert not budget.may_begin(Amounts(0.0, 6.5, 0.0))
    assert not budget.may_begin(Amounts(0.0, 0.0, 0.6))


def test_a_page_whose_answer_was_lost_counts_for_the_most_that_it_can_have_taken() -> None:
    budget = Budget(bounded(100.0, None, None))
    budget.begin(reads(30.0))
    budget.fail(reads(30.0), Fault.PASSING)
    assert (budget.left.read_units, budget.unseen) == (70.0, reads(30.0))


def test_time_counts_against_a_budget_in_dollars_and_a_batch_costs_its_turn() -> None:
    clock = [100.0]
    room = bounded(None, None, 0.01)
    budget = Budget.of_batch(Bounds(allotted=room), UNLIMITED, Amounts(), US_EAST_1, lambda: clock[0])
    turn = amounts(US_EAST_1, 0.0, services=TURN).dollars
    assert budget.left.dollars == pytest.approx(0.01 - turn)
    clock[0] += 60.0
    assert budget.left.dollars == pytest.approx(0.01 - turn - 60 * WORKER_GB * 0.0000133334)


def test_a_budget_is_busy_while_a_request_is_under_way() -> None:
    budget = Budget(bounded(100.0, None, None))
    seen = [budget.is_busy]
    for fault in (None, Fault.PASSING):
        budget.begin(reads(1.0))
        seen.append(budget.is_busy)
        budget.fail(reads(1.0), fault) if fault else budget.settle(reads(1.0))
        seen.append(budget.is_busy)
    assert seen == [False, True, False, True, False]
