"""A count of an index that did not end has no number of entries: it would be taken for the number of all."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import count, repeat
from math import inf
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.answer import CutAnswerError
from skipscan.dynamodb.page import most_page_units
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import NOTHING, Amounts
from skipscan.pace.rate import PAGE_SECONDS
from skipscan.retrofit import count_requests
from skipscan.retrofit.count_requests import (
    ENTRY_UNITS,
    THREADS,
    IndexCount,
    account_of,
    allotted,
    count_indexes,
)
from tests.fakes.faulty import Step, faulty
from tests.fakes.small_table import retrofit_plan
from tests.simulation.world.clock import Clock
from tests.unit.loop.test_allotment import Declarations

LAST = 3
"""The pages of a segment."""

FIRST = {"id": {"N": "0"}}


def page(_: object, asked: dict[str, Any]) -> dict[str, Any]:
    """Return one of some pages of a segment, with two entries."""
    number = int(asked.get("ExclusiveStartKey", FIRST)["id"]["N"])
    more = {"LastEvaluatedKey": {"id": {"N": str(number + 1)}}} if number + 1 < LAST else {}
    return {"Count": 2, "ConsumedCapacity": {"CapacityUnits": 0.5}, **more}


def index(answer: Step = page) -> Any:
    return faulty(None, {"scan": repeat(answer)})


def counted(client: Any, is_over: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    return IndexCount(client, "Audit", "by-all", US_EAST_1, account_of(None), is_over=is_over).take()


def test_a_count_that_came_to_its_end_has_every_page_of_every_segment() -> None:
    client = index()
    figures = counted(client)
    assert {**client.asked("scan")[0], "Segment": 0} == {
        **{"TableName": "Audit", "IndexName": "by-all", "Select": "COUNT", "Segment": 0, "TotalSegments": THREADS},
        **{"ReturnConsumedCapacity": "TOTAL"},
    }
    assert figures == {
        **{"entries": 2 * LAST * THREADS, "requests": LAST * THREADS},
        **{"read_units": 0.5 * LAST * THREADS, "stopped_by": None},
    }


def test_every_index_of_a_plan_is_counted_by_its_name() -> None:
    client, names = index(), ("by-a", "by-b")
    plan = replace(retrofit_plan(), counted={name: {"made": "S"} for name in names})
    results: Any = None  # a plan without a budget declares nothing
    figures = count_indexes(client, plan, NOTHING, results, until=inf)
    assert {name: of["entries"] for name, of in figures.items()} == dict.fromkeys(names, 2 * LAST * THREADS)
    assert {(asked["TableName"], asked["IndexName"]) for asked in client.asked("scan")} == {
        ("Audit", name) for name in names
    }


@pytest.mark.parametrize(("lost", "taken"), [(0.0, 2475.0), (1000.0, 2225.0)])
def test_a_count_takes_a_quarter_of_what_workers_and_lost_attempts_left_and_declares_it(
    lost: float, taken: float
) -> None:
    plan = retrofit_plan(8, 2)
    plan = replace(plan, reading=replace(plan.reading, max_read_units=10_000.0))
    results: Any = Declarations([("lost", Amounts(lost))] if lost else [])
    assert allotted(plan, Amounts(100.0), results).read_units == taken
    assert results.put == [(2, 0)], "a number that no worker has"
    declared = results.all[-1][1].read_units
    assert declared == pytest.approx(taken + most_page_units(0.5), abs=1.0)


def test_a_count_whose_budget_is_used_up_leaves_no_number() -> None:
    account = account_of(None, Amounts(1.0, inf, inf))
    figures = IndexCount(index(), "Audit", "by-all", US_EAST_1, account, allotted=lambda: NOTHING).take()
    assert (figures["entries"], figures["stopped_by"]) == (None, "budget")
    assert 1.0 <= figures["read_units"] <= 0.5 * (1 + THREADS)


@pytest.mark.parametrize("number", range(LAST))
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "Scan"), "AccessDeniedException"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_a_page_that_fails_leaves_no_number_that_could_be_taken_for_all(
    number: int, error: Exception, said: str
) -> None:
    def failing(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        answer = page(_, asked)
        if asked["Segment"] == THREADS - 1 and asked.get("ExclusiveStartKey", FIRST) == {"id": {"N": str(number)}}:
            raise error
        return answer

    figures = counted(index(failing))
    assert (figures["entries"], figures["stopped_by"]) == (None, said)


def test_a_count_whose_time_is_up_leaves_no_number() -> None:
    asked = count()
    figures = counted(index(), is_over=lambda: next(asked) >= 10)
    assert (figures["entries"], figures["stopped_by"]) == (None, "time")


def test_an_answer_that_is_lost_is_asked_for_again_a_second_later() -> None:
    lost = Counter[int]()

    def losing(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        lost[asked["Segment"]] += 1
        if lost[asked["Segment"]] < 4:
            raise CutAnswerError("cut")
        return page(_, asked)

    slept: list[float] = []
    counting = IndexCount(index(losing), "Audit", "by-all", US_EAST_1, account_of(None), sleep=slept.append)
    figures = counting.take()
    assert (figures["entries"], figures["stopped_by"]) == (2 * LAST * THREADS, None)
    assert slept == [1.0] * 3 * THREADS


def test_answers_that_are_always_lost_stop_the_count() -> None:
    client = index(CutAnswerError("cut"))
    figures = IndexCount(client, "Audit", "by-all", US_EAST_1, account_of(None), sleep=lambda _: None).take()
    assert (figures["entries"], figures["stopped_by"]) == (None, "CutAnswerError")
    assert len(client.calls) <= 4 * THREADS


@pytest.mark.parametrize("lost", [(), range(2, 150, 3)])
def test_a_count_takes_as_long_as_its_rate_says_and_a_page_that_is_asked_for_again_keeps_no_part_of_it(
    lost: Collection[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_requests, "THREADS", 1)
    monkeypatch.setattr(count_requests, "WAIT_SECONDS", 0.0)

    def whole(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked.get("ExclusiveStartKey", FIRST)["id"]["N"])
        more = {"LastEvaluatedKey": {"id": {"N": str(number + 1)}}} if number < 99 else {}
        return {"Count": asked["Limit"], "ConsumedCapacity": {"CapacityUnits": asked["Limit"] * ENTRY_UNITS}, **more}

    pages: list[Step] = [whole] * 100
    for request in lost:
        pages.insert(request - 1, CutAnswerError("cut"))
    clock, client = Clock(), faulty(None, {"scan": pages})
    account = account_of(10.0)
    counting = IndexCount(client, "Audit", "by-all", US_EAST_1, account, clock=clock.monotonic, sleep=clock.sleep)
    assert counting.take()["stopped_by"] is None
    assert len(client.calls) == 100 + len(lost)
    assert clock.monotonic() == pytest.approx(99 * PAGE_SECONDS, rel=0.05)
    assert counting.read_units / (clock.monotonic() + PAGE_SECONDS) <= 10.0 * 1.05
