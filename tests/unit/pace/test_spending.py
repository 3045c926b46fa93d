"""What a worker passes on: no debt becomes smaller, and everything that no count shows counts against its shares."""

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import Amounts, Bill, Services, Spending
from skipscan.scan.progress import ScanCounts

SERVICES = Services(gb_seconds=10.0, invocations=3, transitions=6, s3_puts=9, s3_gets=2)


def test_a_new_worker_has_spent_nothing() -> None:
    assert Spending() == Spending(0.0, 0.0, Services(), Amounts(), Amounts(), Amounts())


def test_counts_services_and_what_was_lost_or_not_seen_are_consumed() -> None:
    """What was only declared is not: the counts have it, or it is lost."""
    unseen, lost = Amounts(1.0, 2.0, 0.25), Amounts(4.0, 8.0, 0.5)
    spending = Spending(services=SERVICES, unseen=unseen, lost=lost, allotted=Amounts(1e9, 1e9, 1e9))
    dollars = Bill.of(US_EAST_1, 100.0, 0.0, SERVICES).total
    assert spending.consumed(ScanCounts(read_units=100.0), US_EAST_1) == Amounts(105.0, 10.0, dollars + 0.75)


def test_a_batch_adds_its_debts_and_no_debt_becomes_smaller() -> None:
    before = Spending(reads_paid_off=100.0, writes_paid_off=200.0, unseen=Amounts(1.0), lost=Amounts(2.0))
    later = before.after(Amounts(4.0), reads_paid_off=150.0)
    assert (later.reads_paid_off, later.writes_paid_off, later.paid_off) == (150.0, 200.0, 200.0)
    assert (later.unseen, later.lost) == (Amounts(5.0), Amounts(2.0))
    later = before.after(Amounts(), reads_paid_off=90.0, writes_paid_off=300.0)
    assert (later.reads_paid_off, later.writes_paid_off, later.paid_off) == (100.0, 300.0, 300.0)
    assert Spending().after(Amounts()) == Spending()
