"""A count of an index that did not end has no number of entries: it would be taken for the number of all."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from math import inf
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.answer import CutAnswerError
from skipscan.dynamodb.page import most_page_units
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import NOTHING, UNLIMITED, Amounts
from skipscan.retrofit import count_requests
from skipscan.retrofit.count_requests import (
    THREADS,
    IndexCount,
    RemainingBudget,
    account_of,
    count_indexes,
)
from tests.fakes.small_table import retrofit_plan
from tests.simulation.inputs.clock import Clock
from tests.unit.loop.test_allotment import Declarations

LAST = 3
"""The pages of a segment."""


class Index:
    """Segments of some pages with two entries each.

    `fails`: what a page raises, by segment and page. `fields`: of the requests.
    """

    def __init__(self, fails: dict[tuple[int, int], Exception] | None = None) -> None:
        self.fails = fails or {}
        self.names: set[tuple[str, str]] = set()
        self.fields: dict[str, Any] = {}

    def scan(self, **asked: Any) -> dict[str, Any]:
        self.names.add((asked["TableName"], asked["IndexName"]))
        self.fields |= asked
        segment, page = asked["Segment"], asked.get("ExclusiveStartKey", {"id": {"N": "0"}})
        number = int(page["id"]["N"])
        if error := self.fails.get((segment, number)):
            raise error
        more = {"LastEvaluatedKey": {"id": {"N": str(number + 1)}}} if number + 1 < LAST else {}
        return {"Count": 2, "ConsumedCapacity": {"CapacityUnits": 0.5}, **more}


def counted(index: Index, is_over: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    client: Any = index
    return IndexCount(client, "Audit", "by-all", US_EAST_1, account_of(None), is_over=is_over).take()


@pytest.mark.second_page("skipscan.retrofit.count_requests:IndexCount._page")
def test_a_count_that_came_to_its_end_has_every_page_of_every_segment() -> None:
    index = Index()
    figures = counted(index)
    assert {**index.fields, "Segment": 0, "ExclusiveStartKey": {}} == {
        **{"TableName": "Audit", "IndexName": "by-all", "Select": "COUNT", "Segment": 0, "TotalSegments": THREADS},
        **{"ReturnConsumedCapacity": "TOTAL", "ExclusiveStartKey": {}},
    }
    assert figures == {
        **{"entries": 2 * LAST * THREADS, "requests": LAST * THREADS},
        **{"read_units": 0.5 * LAST * THREADS, "stopped_by": None},
    }


def test_every_index_of_a_plan_is_counted_by_its_name() -> None:
    index, names = Index(), ("by-a", "by-b")
    client: Any = index
    plan = replace(retrofit_plan(), counted={name: {"made": "S"} for name in names})
    results: Any = None  # a plan without a budget declares nothing
    figures = count_indexes(client, plan, NOTHING, results, until=inf)
    assert {name: of["entries"] for name, of in figures.items()} == dict.fromkeys(names, 2 * LAST * THREADS)
    assert index.names == {("Audit", name) for name in names}


@pytest.mark.parametrize(("lost", "taken"), [(0.0, 2475.0), (1000.0, 2225.0)])
def test_a_count_takes_a_quarter_of_what_workers_and_lost_attempts_left_and_declares_it(
    lost: float, taken: float
) -> None:
    plan = retrofit_plan(8, 2)
    plan = replace(plan, reading=replace(plan.reading, max_read_units=10_000.0))
    results: Any = Declarations([("lost", Amounts(lost))] if lost else [])
    assert RemainingBudget(plan, Amounts(100.0), results).allotted().read_units == taken
    assert results.put == [(2, 0)], "a number that no worker has"
    declared = results.all[-1][1].read_units
    assert declared == pytest.approx(taken + most_page_units(0.5), abs=1.0)


def test_a_count_without_a_budget_declares_nothing() -> None:
    results: Any = Declarations()
    assert RemainingBudget(retrofit_plan(), NOTHING, results).allotted() == UNLIMITED
    assert results.all == []


def test_a_count_whose_budget_is_used_up_leaves_no_number() -> None:
    client: Any = Index()
    account = account_of(None, Amounts(1.0, inf, inf))
    figures = IndexCount(client, "Audit", "by-all", US_EAST_1, account, allotted=lambda: NOTHING).take()
    assert (figures["entries"], figures["stopped_by"]) == (None, "budget")
    assert 1.0 <= figures["read_units"] <= 0.5 * (1 + THREADS)


@pytest.mark.parametrize("page", range(LAST))
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "Scan"), "AccessDeniedException"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_a_page_that_fails_leaves_no_number_that_could_be_taken_for_all(page: int, error: Exception, said: str) -> None:
    figures = counted(Index({(THREADS - 1, page): error}))
    assert (figures["entries"], figures["stopped_by"]) == (None, said)


def test_a_count_whose_time_is_up_leaves_no_number() -> None:
    asked = count()
    figures = counted(Index(), is_over=lambda: next(asked) >= 10)
    assert (figures["entries"], figures["stopped_by"]) == (None, "time")


class Losing(Index):
    """Loses so many answers to each segment's first request. `asked`: how many requests there were."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._left = Counter(dict.fromkeys(range(THREADS), times))
        self.asked = count()

    def scan(self, **asked: Any) -> dict[str, Any]:
        next(self.asked)
        self._left[asked["Segment"]] -= 1
        if self._left[asked["Segment"]] >= 0:
            raise CutAnswerError("cut")
        return super().scan(**asked)


@pytest.mark.asked_again("skipscan.retrofit.count_requests:IndexCount._walk")
@pytest.mark.waits("skipscan.pace.pace:retrying")
def test_an_answer_that_is_lost_is_asked_for_again_a_second_later() -> None:
    client: Any = Losing(4 - 1)
    slept: list[float] = []
    figures = IndexCount(client, "Audit", "by-all", US_EAST_1, account_of(None), sleep=slept.append).take()
    assert (figures["entries"], figures["stopped_by"]) == (2 * LAST * THREADS, None)
    assert slept == [1.0] * 3 * THREADS


def test_answers_that_are_always_lost_stop_the_count() -> None:
    client: Any = Losing(1000)
    figures = IndexCount(client, "Audit", "by-all", US_EAST_1, account_of(None), sleep=lambda _: None).take()
    assert (figures["entries"], figures["stopped_by"]) == (None, "CutAnswerError")
    assert next(client.asked) <= 4 * THREADS


@pytest.mark.waits("skipscan.retrofit.count_requests:IndexCount._permitted")
def test_a_count_takes_as_long_as_its_rate_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_requests, "THREADS", 1)
    clock, index = Clock(), Index()
    client: Any = index
    rate = 0.1  # a fifth of a page a second
    counting = IndexCount(
        client, "Audit", "by-all", US_EAST_1, account_of(rate), clock=clock.monotonic, sleep=clock.sleep
    )
    figures = counting.take()
    assert (figures["read_units"], figures["entries"]) == (0.5 * LAST, 2 * LAST)
    # All pages but the last are paid off before the next one begins.
    assert clock.monotonic() == pytest.approx(0.5 * (LAST - 1) / rate, rel=0.3)


def test_the_pages_of_a_rate_become_smaller_when_entries_turn_out_large() -> None:
    """Otherwise one page consumes what the rate allows in many seconds."""

    class Large(Index):
        def scan(self, **asked: Any) -> dict[str, Any]:
            limits.append(asked["Limit"])
            answer = super().scan(**asked)
            return {**answer, "Count": asked["Limit"], "ConsumedCapacity": {"CapacityUnits": 0.5 * asked["Limit"]}}

    limits: list[int] = []
    now = [0.0]
    client: Any = Large()

    def sleep(seconds: float) -> None:
        now[0] += seconds

    IndexCount(client, "Audit", "by-all", US_EAST_1, account_of(2), clock=lambda: now[0], sleep=sleep).take()
    assert (limits[0], limits[-1]) == (16, 1)
