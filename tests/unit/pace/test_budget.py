"""Requests are reserved at the most that they can take, and only the last can exceed what is left."""

from skipscan.pace.bill import Amounts, bounded
from skipscan.pace.budget import Budget
from skipscan.pace.pace import Fault


def reads(units: float) -> Amounts:
    return Amounts(read_units=units)


def test_a_page_whose_answer_was_lost_counts_for_the_most_that_it_can_have_taken() -> None:
    budget = Budget(bounded(100.0, None, None))
    budget.begin(reads(30.0))
    budget.fail(reads(30.0), Fault.PASSING)
    assert (budget.left.read_units, budget.unseen) == (70.0, reads(30.0))


def test_a_budget_is_busy_while_a_request_is_under_way() -> None:
    budget = Budget(bounded(100.0, None, None))
    seen = [budget.is_busy]
    for fault in (None, Fault.PASSING):
        budget.begin(reads(1.0))
        seen.append(budget.is_busy)
        budget.fail(reads(1.0), fault) if fault else budget.settle(reads(1.0))
        seen.append(budget.is_busy)
    assert seen == [False, True, False, True, False]
