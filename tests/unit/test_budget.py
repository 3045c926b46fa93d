"""Pages are reserved at the most that they can take, and only the last can exceed what is left."""

from skipscan.pace.budget import Budget


def test_pages_begin_together_as_long_as_the_most_of_all_fits() -> None:
    budget = Budget(100.0)
    budget.begin(50.0)
    assert budget.may_begin(50.0)
    assert not budget.may_begin(50.5)
    budget.settle(50.0, 1.0)
    assert (budget.left, budget.may_begin(500.0)) == (99.0, True)


def test_a_page_whose_answer_was_lost_counts_for_the_most_that_it_can_have_taken() -> None:
    budget = Budget(100.0)
    budget.begin(30.0)
    budget.lose(30.0)
    assert (budget.left, budget.unseen) == (70.0, 30.0)


def test_a_page_that_was_refused_costs_nothing() -> None:
    budget = Budget(100.0)
    budget.begin(30.0)
    budget.settle(30.0, 0.0)
    assert (budget.left, budget.unseen) == (100.0, 0.0)


def test_without_a_budget_every_page_may_begin() -> None:
    budget = Budget(None)
    budget.begin(1e9)
    assert budget.may_begin(1e9)
