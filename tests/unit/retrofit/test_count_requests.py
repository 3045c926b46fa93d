"""A count of an index that did not end has no number of entries: it would be taken for the number of all."""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import repeat
from math import inf
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.answer import CutAnswerError
from skipscan.dynamodb.page import most_page_units
from skipscan.items.job import THREADS
from skipscan.pace.bill import NOTHING, Amounts
from skipscan.pace.pace import PASSING_FAULTS
from skipscan.pace.rate import PAGE_SECONDS
from skipscan.retrofit import count_requests
from skipscan.retrofit.count_requests import ENTRY_UNITS, MOST_ENTRIES, allotted, count_indexes
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


def counted(
    client: Any, *names: str, clock: Clock | None = None, until: float = inf, results: Any = None, **bounds: Any
) -> dict[str, dict[str, Any]]:
    """Return the figures by index. `results`: of a plan with a budget, which declares there what it takes."""
    clock, plan = clock or Clock(), retrofit_plan(8, 2)
    plan = replace(plan, counted={name: {"made": "S"} for name in names or ("by-all",)})
    plan = replace(plan, reading=replace(plan.reading, **bounds))
    return count_indexes(client, plan, NOTHING, results, until=until, now=clock.monotonic, sleep=clock.sleep)


def count_of(client: Any, **given: Any) -> dict[str, Any]:
    return counted(client, **given)["by-all"]


def test_a_count_that_came_to_its_end_has_every_page_of_every_segment() -> None:
    client = index()
    figures = count_of(client)
    assert {**client.asked("scan")[0], "Segment": 0} == {
        **{"TableName": "Audit", "IndexName": "by-all", "Select": "COUNT", "Segment": 0, "TotalSegments": THREADS},
        **{"ReturnConsumedCapacity": "TOTAL", "Limit": MOST_ENTRIES},
    }
    assert figures == {
        **{"entries": 2 * LAST * THREADS, "requests": LAST * THREADS},
        **{"read_units": 0.5 * LAST * THREADS, "stopped_by": None},
    }


def test_every_index_of_a_plan_is_counted_by_its_name() -> None:
    client, names = index(), ("by-a", "by-b")
    figures = counted(client, *names)
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
    """Pages are reserved with their maximum, and the last one alone may exceed the budget."""
    figures = count_of(index(), results=Declarations([]), max_read_units=10.0)
    assert (figures["entries"], figures["stopped_by"]) == (None, "budget")
    assert 5.0 <= figures["read_units"] <= 10.0


def test_an_index_leaves_what_it_did_not_take_of_an_allotment_to_the_next_one() -> None:
    results, names = Declarations([]), [f"by-{number}" for number in range(20)]
    figures = counted(index(), *names, results=results, max_read_units=1000.0)
    assert [each["stopped_by"] for each in figures.values()] == [None] * 20
    assert len(results.put) == 1, "four of the largest pages hold them all"


def test_a_declaration_that_fails_stops_the_count_and_not_the_job() -> None:
    class Refusing(Declarations):
        def declare(self, *_: object) -> None:
            raise ClientError({"Error": {"Code": "SlowDown", "Message": ""}}, "PutObject")

    figures = counted(index(), "by-a", "by-b", results=Refusing([]), max_read_units=1000.0)
    assert [each["stopped_by"] for each in figures.values()] == ["SlowDown", "SlowDown"]


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

    figures = count_of(index(failing))
    assert (figures["entries"], figures["stopped_by"]) == (None, said)


def test_a_count_whose_time_is_up_leaves_no_number() -> None:
    clock = Clock()

    def slow(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        clock.sleep(1.0)
        return page(_, asked)

    figures = count_of(index(slow), clock=clock, until=10.0)
    assert (figures["entries"], figures["stopped_by"]) == (None, "time")
    assert 10 <= figures["requests"] < 10 + THREADS


def test_a_count_whose_last_page_comes_when_the_time_is_up_is_whole() -> None:
    clock = Clock()

    def last(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        clock.sleep(1.0)
        return {"Count": 2, "ConsumedCapacity": {"CapacityUnits": 0.5}}

    figures = counted(index(last), "by-a", "by-b", clock=clock, until=float(THREADS))
    assert [each["stopped_by"] for each in figures.values()] == [None, "time"]


def test_an_answer_that_is_lost_is_asked_for_again() -> None:
    lost = Counter[int]()

    def losing(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        lost[asked["Segment"]] += 1
        if lost[asked["Segment"]] < 4:
            raise CutAnswerError("cut")
        return page(_, asked)

    figures = count_of(index(losing))
    assert (figures["entries"], figures["stopped_by"]) == (2 * LAST * THREADS, None)


def test_answers_that_are_always_lost_stop_the_count() -> None:
    client = index(CutAnswerError("cut"))
    figures = count_of(client)
    assert (figures["entries"], figures["stopped_by"]) == (None, "CutAnswerError")
    assert len(client.calls) <= (PASSING_FAULTS + 1) * THREADS


@pytest.mark.parametrize("lost", [(), range(2, 150, 3)])
def test_a_count_takes_as_long_as_its_rate_says_and_a_page_that_is_asked_for_again_keeps_no_part_of_it(
    lost: Collection[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_requests, "THREADS", 1)
    monkeypatch.setattr("random.random", lambda: 0.0)  # no wait after an answer that is lost

    def whole(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked.get("ExclusiveStartKey", FIRST)["id"]["N"])
        more = {"LastEvaluatedKey": {"id": {"N": str(number + 1)}}} if number < 99 else {}
        return {"Count": asked["Limit"], "ConsumedCapacity": {"CapacityUnits": asked["Limit"] * ENTRY_UNITS}, **more}

    pages: list[Step] = [whole] * 100
    for request in lost:
        pages.insert(request - 1, CutAnswerError("cut"))
    clock, client = Clock(), faulty(None, {"scan": pages})
    figures = count_of(client, clock=clock, max_read_units_per_second=10.0)
    assert figures["stopped_by"] is None
    assert len(client.calls) == 100 + len(lost)
    assert clock.monotonic() == pytest.approx(99 * PAGE_SECONDS, rel=0.05)
    assert figures["read_units"] / (clock.monotonic() + PAGE_SECONDS) <= 10.0 * 1.05


def test_a_count_learns_what_an_entry_takes_from_pages_that_have_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_requests, "THREADS", 1)
    limits: dict[int, list[int]] = {}
    for entries in (0, 2):
        client = index(lambda _, asked, entries=entries: {**page(_, asked), "Count": entries})
        count_of(client, max_read_units_per_second=10.0)
        limits[entries] = [asked["Limit"] for asked in client.asked("scan")]
    assert limits[0] == [80] * LAST
    assert limits[2] == [80, 34, 26]


def test_the_next_index_waits_until_what_the_last_one_took_is_paid_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_requests, "THREADS", 1)
    clock, begun = Clock(), list[float]()

    def large(*_: object) -> dict[str, Any]:
        begun.append(clock.monotonic())
        return {"Count": 2, "ConsumedCapacity": {"CapacityUnits": 40.0}}

    counted(index(large), "by-a", "by-b", clock=clock, max_read_units_per_second=10.0)
    assert begun == [0.0, pytest.approx(4.0, rel=0.05)]
