"""One function says what something costs, and names what it estimates."""

from dataclasses import fields
from math import inf

import pytest

from skipscan.act.item import ActCounts
from skipscan.copy.item import CopyCounts
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import (
    COMMIT,
    TURN,
    Amounts,
    Bill,
    Services,
    Spending,
    affordable_reads,
    around,
    bounded,
    lambda_seconds,
    resumed_services,
)
from skipscan.pace.budget import Budget
from skipscan.pace.counts import Counts
from skipscan.pace.pace import Fault
from skipscan.retrofit.item import RetrofitCounts
from skipscan.scan.progress import ScanCounts
from tests.fakes.small_table import reading


def test_a_second_of_a_function_costs_by_its_memory() -> None:
    assert lambda_seconds(US_EAST_1, 2) == pytest.approx(2 * US_EAST_1.lambda_gb_seconds.of(1))


def test_reads_that_a_budget_allows_are_bounded_by_units_and_by_dollars() -> None:
    assert affordable_reads(US_EAST_1, Amounts(2e6, 0, 0.125)) == 1e6
    assert affordable_reads(US_EAST_1, Amounts(5e5, 0, 0.125)) == 5e5
    free = US_EAST_1.provisioned(reads=True, writes=False)
    assert affordable_reads(free, bounded(None, None, 1.0)) == inf
    assert affordable_reads(free, bounded(7.0, None, 1.0)) == 7.0


ALL = Services(gb_seconds=1e6, invocations=2_000_000, transitions=3_000, s3_puts=4_000, s3_gets=50_000)
BILL = Bill(1.25, 6.25, 13.7334, 0.075, 0.04)
"""Of ten million read and write units and `ALL`, in us-east-1."""


def test_each_service_has_its_own_price() -> None:
    bill = Bill.of(US_EAST_1, 1e7, 1e7, ALL)
    assert bill.to_json() == BILL.to_json()
    assert bill.units == pytest.approx(7.5)
    assert bill.total == pytest.approx(21.3484)


def test_a_bill_in_json_has_its_sums_first_and_millionths_of_a_dollar() -> None:
    bill = Bill(0.1234567, 0.2, 0.3, 0.4, 0.5)
    document = bill.to_json()
    assert list(document.items()) == [
        *[("total", 1.523457), ("units", 0.323457), ("read_units", 0.123457), ("write_units", 0.2)],
        *[("lambda", 0.3), ("step_functions", 0.4), ("s3", 0.5)],
    ]
    assert Bill.from_json(BILL.to_json()) == BILL
    assert Bill() == Bill(0.0, 0.0, 0.0, 0.0, 0.0)
    assert Services() == Services(0.0, 0, 0, 0, 0)
    assert Services(gb_seconds=0.12345678, s3_gets=1).to_json() == {
        **Services(s3_gets=1).to_json(),
        "gb_seconds": 0.123457,
    }


def test_what_is_assumed_of_a_turn_and_of_what_is_around_all_turns() -> None:
    """The counts that estimates and budgets rest on."""
    assert Services(invocations=1, transitions=2, s3_puts=3, s3_gets=2) == TURN
    assert Services(s3_puts=2) == COMMIT
    assert around(3, 7) == Services(gb_seconds=4.0, invocations=2, transitions=11, s3_puts=4, s3_gets=14)
    found = Services(gb_seconds=1.5, invocations=3, transitions=6, s3_puts=3, s3_gets=6)
    assert resumed_services(3, 7) == around(3, 7) + found + Services(s3_puts=2)


def test_a_batch_adds_its_debts_and_no_debt_becomes_smaller() -> None:
    before = Spending(reads_paid_off=100.0, writes_paid_off=200.0, unseen=Amounts(1.0), lost=Amounts(2.0))
    later = before.after(Amounts(4.0), reads_paid_off=150.0)
    assert (later.reads_paid_off, later.writes_paid_off, later.paid_off) == (150.0, 200.0, 200.0)
    assert (later.unseen, later.lost) == (Amounts(5.0), Amounts(2.0))
    later = before.after(Amounts(), reads_paid_off=90.0, writes_paid_off=300.0)
    assert (later.reads_paid_off, later.writes_paid_off, later.paid_off) == (100.0, 300.0, 300.0)
    assert Spending().after(Amounts()) == Spending()


# Requests are reserved at the most that they can take, and only the last can exceed what is left.


def reads(units: float) -> Amounts:
    return Amounts(read_units=units)


def test_a_page_whose_answer_was_lost_counts_for_the_most_that_it_can_have_taken() -> None:
    budget = Budget(bounded(100.0, None, None))
    budget.begin(reads(30.0))
    budget.fail(reads(30.0), Fault.PASSING)
    assert (budget.left.read_units, budget.unseen) == (70.0, reads(30.0))


# Counts add up in every one, also in one that is new, and are read from manifests.


KINDS = (ScanCounts, ActCounts, RetrofitCounts, CopyCounts)


@pytest.mark.parametrize("kind", KINDS)
def test_a_manifest_states_figures_among_others_and_what_an_earlier_version_did_not_count_is_0(
    kind: type[Counts],
) -> None:
    figures = kind(*range(1, len(fields(kind)) + 1))
    assert kind.stated({**vars(figures), "run": "run-1"}) == figures
    assert kind.stated({}) == kind()


# A worker's share of the budgets: when it is spent.


def test_a_share_of_dollars_is_spent_when_they_do_not_pay_for_the_services_of_a_batch() -> None:
    plan = reading(max_dollars=1.0)
    share, least = plan.limits.worker_budget.dollars, plan.limits.least_batch
    assert least.dollars > plan.limits.least.dollars
    assert plan.limits.are_spent(Amounts(dollars=share - 1.01 * least.dollars)) is False
    assert plan.limits.are_spent(Amounts(dollars=share - 0.99 * least.dollars)) is True
