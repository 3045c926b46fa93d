"""One function says what something costs, and names what it estimates."""

import re
from pathlib import Path

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.loop.billing import quoted
from skipscan.pace.amounts import Amounts, bounded
from skipscan.pace.bill import ESTIMATED, Bill, Services, affordable_reads
from tests.unit.retrofit.small_table import retrofit_plan

PRICED = re.compile(r"\b(read_units|write_units|lambda_\w+|transitions|s3_puts|s3_gets|exported_gb)\.of\(")
ELSEWHERE = {
    "lambdas/skipscan/estimate/offer.py": "an export is no work of ours",
    "benchmarks/first_items/way.py": "nor is it here",
    "lambdas/skipscan/scan/limit/policy.py": "two prices are compared",
}


def test_no_other_module_turns_counts_into_dollars() -> None:
    paths = [path for folder in ("lambdas", "local", "benchmarks", "infra") for path in Path(folder).rglob("*.py")]
    found = {str(path) for path in paths if PRICED.search(path.read_text())}
    assert found == {"lambdas/skipscan/pace/bill.py", *ELSEWHERE}


def test_a_quoted_bill_names_what_is_estimated() -> None:
    plan = retrofit_plan()
    bill = Bill.of(plan.prices, 1e6, 0.0, Services(transitions=1_000))
    document = quoted(plan, bill)
    assert (document["total"], document["units"], document["estimated"]) == (0.15, 0.125, ESTIMATED)


def test_where_only_units_are_billed_nothing_is_estimated() -> None:
    plan = retrofit_plan()
    reading = plan.reading
    here = type(plan)(
        **{**vars(plan), "reading": type(reading)(**{**vars(reading), "prices": US_EAST_1.units_alone()})}
    )
    assert quoted(here, Bill.of(here.prices, 1e6, 0.0, Services()))["estimated"] is None


def test_reads_that_a_budget_allows_are_bounded_by_units_and_by_dollars() -> None:
    assert affordable_reads(US_EAST_1, Amounts(2e6, 0, 0.125)) == 1e6
    assert affordable_reads(US_EAST_1, Amounts(5e5, 0, 0.125)) == 5e5
    free = US_EAST_1.provisioned(reads=True, writes=False)
    assert affordable_reads(free, bounded(None, None, 1.0)) == float("inf")
