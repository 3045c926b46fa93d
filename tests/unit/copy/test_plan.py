"""How many keys a verification compares, and as what each item counts."""

from itertools import count
from typing import Any

import pytest

from skipscan.copy.input import MOST_COMPARE_ITEMS, parse_copy
from skipscan.copy.item import CopyCounts, CopyOutcome, HandOver
from skipscan.copy.job import CopyJob
from skipscan.copy.plan import REPLICATED_READ_UNITS, CopyForecast, CopyPlan
from skipscan.copy.replica import Side
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Answer, Get
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError
from skipscan.items.forecast import Sampled
from skipscan.items.job import UnitRequest
from skipscan.items.lane import ReadPage
from skipscan.items.progress import ItemPosition, ItemResult
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.ledger import Ledger
from skipscan.pace.progress import Progress
from tests.fakes.job_batch import job_batch
from tests.fakes.small_table import DESCRIPTION, SmallTable, copy_plan, item
from tests.refusal import refused

SEGMENTS, WORKERS = 8, 2
ITEMS: dict[str, Item] = {f"{n:04}": item(f"{n:04}", a="x", b=str(n)) for n in range(600)}
STALE: Any = {"compared_share": 1.0}
"""Of a table whose items DescribeTable had not counted yet."""


def verifying(**changed: Any) -> CopyPlan:
    return copy_plan(SEGMENTS, WORKERS, verify=True, **changed)


def verified(plan: CopyPlan, *, pages: int | None = None) -> tuple[CopyCounts, set[str]]:
    """Return what the workers of a copy count, and the keys that they compare; a batch ends after so many pages."""
    target = {id_: plan.replica.transform(each)[0] for id_, each in ITEMS.items()} if plan.compare_only else {}
    tables = {
        side: SmallTable(*items.values(), page_items=50, segments=SEGMENTS)
        for side, items in {Side.SOURCE: ITEMS, Side.TARGET: target}.items()
    }

    def answer(request: UnitRequest) -> Page | Answer:
        step = request.step
        if isinstance(step, HandOver):
            return Answer(None)
        if isinstance(step, ReadPage):
            return tables[plan.verified_side(step.number) or Side.SOURCE].answer(request)
        return tables[Side.SOURCE if step.table == "arn:source" else Side.TARGET].answer(request)

    total, compared, ticks = CopyCounts(), set(), count()
    for worker in range(plan.workers):
        progress: Any = Progress(worker, ItemPosition(), CopyCounts())
        while not progress.done(plan):
            clock = Clock(lambda: next(ticks) * 0.01)
            batch = job_batch(CopyJob, plan, progress=progress, bounds=Bounds(pages=pages), clock=clock)
            while (request := batch.take()) is not None:
                if isinstance(request, Pause):
                    continue
                if isinstance(request.step, Get):
                    compared.add(request.step.key["id"]["S"])
                batch.give(request, answer(request))
            progress = batch.progress
        total += progress.counts
    return total, compared


@pytest.mark.parametrize("pages", [None, 1])
@pytest.mark.parametrize("compare_only", [False, True])
def test_a_table_with_more_items_than_described_is_compared_as_asked(compare_only: bool, pages: int | None) -> None:
    counts, _ = verified(verifying(compare_items=40, compare_only=compare_only, **STALE), pages=pages)
    assert (counts.source_items, counts.target_items) == (600, 600)
    # Of a table whose items no pass has counted, at most twice as many; of one whose items are known, about as many.
    assert 40 <= counts.compared <= (3.25 if compare_only else 2.25) * 40
    assert counts.missing == counts.surplus == counts.different == 0


@pytest.mark.parametrize("compare_only", [False, True])
@pytest.mark.parametrize("asked", [600, MOST_COMPARE_ITEMS])
def test_as_many_as_there_are_or_more_are_all_compared(asked: int, compare_only: bool) -> None:
    counts, _ = verified(verifying(compare_items=asked, compare_only=compare_only, **STALE))
    assert counts.compared == 1200


# How large a copy will be, where DescribeTable has not counted the items yet.


ITEMS_OF_FORECAST = tuple(item(f"i{number}", a="x", b="y") for number in range(6))


@pytest.mark.parametrize(
    ("counted", "asked", "share", "most"),
    [(0, 3, 0.25, 6), (90, 30, 1 / 3, 60), (3, 8, 1.0, 16), (0, 10**12, 1.0, 2 * 10**12)],
)
def test_the_compared_share_is_of_the_items_that_the_sample_shows(
    counted: int, asked: int, share: float, most: int
) -> None:
    """12 items by the sample: two segments of four have six."""
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": counted, "TableSizeBytes": 0})
    sample = Sampled(ITEMS_OF_FORECAST, segments=2, ended=True, read_units=1.0)
    forecast = CopyForecast.of(copy_plan().replica, sample, 4, described, described)
    plan = copy_plan(4, verify=True, compare_items=asked).over(forecast.items)
    assert plan.compared_share == pytest.approx(share)
    explained = forecast.to_json(plan, recovery=True)
    assert explained["compared_keys_at_most"] == most
    walks = 3 * 4 * 0.5
    assert explained["read_units"] == pytest.approx(walks + 2 * 2 * min(asked, forecast.items))


def test_large_items_are_compared_for_more_than_two_read_units() -> None:
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": 10, "TableSizeBytes": 100 * 1024})
    forecast = CopyForecast.of(copy_plan().replica, Sampled(ITEMS_OF_FORECAST, 2, False, 1.0), 4, described, described)
    plan = copy_plan(4, verify=True, compare_items=5).over(forecast.items)
    explained = forecast.to_json(plan, recovery=True)
    walks = 3 * 100 / 4 * 0.5
    assert explained["read_units"] == pytest.approx(walks + 2 * 5 * 2 * 3)  # 10 KB: three units a look


def test_a_dry_run_names_both_tables_and_the_items_that_get_no_attribute() -> None:
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": 90, "TableSizeBytes": 0})
    sample = Sampled((*ITEMS_OF_FORECAST, item("l1", a="x")), segments=2, ended=False, read_units=1.5)
    plan = copy_plan(4)
    explained = CopyForecast.of(plan.replica, sample, 4, described, described).to_json(plan, recovery=True)
    assert (explained["table"], explained["to"]) == ("Audit", plan.replica.target)
    assert explained["set"] == dict(plan.replica.templates)
    assert explained["each_later_change"] == {"write_units": 1.0, "read_units": REPLICATED_READ_UNITS}
    assert (explained["items"], explained["write_units"]) == (90, 90.0)
    assert explained["sample"] == {"items": 7, "read_units": 1.5, "unset": 1, "unset_because": {"b is lacking": 1}}


# The input of a copy: fields that contradict each other are refused with the way out.


ASKED = {"table": "Audit", "to": "Audit-2"}


@pytest.mark.parametrize("other", [{"create": True}, {"verify": False}])
def test_a_copy_that_only_compares_creates_no_table_and_leaves_out_no_comparison(other: dict[str, Any]) -> None:
    (field,) = other
    with refused(InputError, "compare_only", True, field, rule="only compares"):
        parse_copy({**ASKED, "compare_only": True, **other})


@pytest.mark.parametrize(
    ("number", "outcome", "reason", "counts"),
    [
        (0, CopyOutcome.COPIED, "", {"items": 1, "copied": 1}),
        (0, CopyOutcome.COPIED, "a is lacking", {"items": 1, "copied": 1, "unset": 1, "listed": 1}),
        (0, CopyOutcome.REFUSED, "full", {"items": 1, "refused": 1, "listed": 1}),
        (1, CopyOutcome.COUNTED, "", {"target_items": 1}),
        (1, CopyOutcome.SURPLUS, "only there", {"target_items": 1, "compared": 1, "surplus": 1, "listed": 1}),
        (2, CopyOutcome.SAME, "", {"source_items": 1, "compared": 1}),
    ],
)
def test_an_item_is_counted_by_its_pass_and_its_end(
    number: int, outcome: CopyOutcome, reason: str, counts: dict[str, int]
) -> None:
    plan = verifying()
    progress = Progress(0, ItemPosition(), CopyCounts())
    ledger = Ledger(plan.limits, progress, bounds=Bounds(), clock=Clock(lambda: 0.0), random=lambda: 1.0)
    job = CopyJob(plan, ledger)
    job.number = number
    assert job.counts_of(ItemResult({"id": {"S": "1"}}, outcome, reason)) == CopyCounts(**counts)
