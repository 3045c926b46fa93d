"""An event that no state machine sends is refused before anything is read, whatever part of it is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest

from skipscan import form
from skipscan.errors import InputError, SkipscanError, TableError
from skipscan.folder.storage import Folder
from skipscan.loop.begin import Planning, begin, check_same, within_ceiling
from skipscan.loop.dependencies import Dependencies, Meter
from skipscan.loop.event import compared_of, gathered_of, reported_of, start_of, turn_of
from skipscan.loop.finish import refused as ended
from skipscan.loop.kind import progress_to_json
from skipscan.loop.metric import Metric
from skipscan.loop.results import Results
from skipscan.loop.work import ExecutionId, sealed
from skipscan.pace.bill import COMMIT, Services
from skipscan.retrofit.kind import RETROFIT
from tests.fakes.small_table import retrofit_plan
from tests.refusal import refused
from tests.unit.loop.test_proof import NAMED, WHOLE

WHAT = WHOLE["retrofit"]
WORK = WHAT.kind.new_work(NAMED, WHAT.plan)
EXECUTION = {"name": "run-1", "execution": "arn:run-1", "started": "2026-01-01T00:00:00+00:00"}
STATE = sealed(progress_to_json(WHAT.reached[1], WHAT.plan), WORK)


def work(**plan: Any) -> dict[str, Any]:
    document = WORK.to_json()
    return {**document, "plan": {**document["plan"], **plan}}


GOOD: Mapping[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "Plan": (lambda event: start_of(event, "Plan"), {**EXECUTION, "input": {"table": "T"}}),
    WHAT.kind.states["turn"]: (lambda event: turn_of(WHAT.kind, event), {"work": work(), "worker": 1}),
    WHAT.kind.states["finish"]: (
        lambda event: gathered_of(WHAT.kind, event),
        {"work": work(), "reports": [{"worker": 0, "parts": 2}, {"worker": 1}]},
    ),
    WHAT.kind.states["report"]: (lambda event: reported_of(WHAT.kind, event), {"table": "T", "retrofit": "run-1"}),
    "Compare": (compared_of, {"table": "T", "run": "run-2", "compare": {"run": "run-1"}}),
}
BAD: list[tuple[str, dict[str, Any]]] = [
    *(("Plan", {name: 5}) for name in EXECUTION),
    (WHAT.kind.states["turn"], {"worker": True}),
    (WHAT.kind.states["turn"], {"worker": 2}),
    (WHAT.kind.states["turn"], {"worker": -1}),
    (WHAT.kind.states["turn"], {"work": {name: value for name, value in work().items() if name != "form"}}),
    (WHAT.kind.states["turn"], {"work": work(reading=form.write(replace(WHAT.plan.reading, workers=0)))}),
    (WHAT.kind.states["finish"], {"reports": [{"worker": "0"}]}),
    (WHAT.kind.states["finish"], {"reports": [{"worker": True}]}),
    (WHAT.kind.states["finish"], {"reports": {"worker": 0}}),
    (WHAT.kind.states["report"], {"table": 5}),
    (WHAT.kind.states["report"], {"retrofit": None}),
    ("Compare", {"table": 5}),
    ("Compare", {"run": None}),
    ("Compare", {"compare": {"run": 5}}),
    ("Compare", {"compare": None}),
]


@pytest.mark.parametrize(("state", "wrong"), BAD)
def test_an_event_with_a_part_that_is_wrong_is_refused(state: str, wrong: dict[str, Any]) -> None:
    read, event = GOOD[state]
    with refused(InputError, "the event", rule=f"sends to {state};"):
        read({**event, **wrong})


def test_the_first_turn_has_no_progress_and_a_later_one_that_of_the_turn_before() -> None:
    event = {"work": work(), "worker": 1}
    assert (turn_of(WHAT.kind, event).progress, turn_of(WHAT.kind, event).after) == (None, None)
    later = turn_of(WHAT.kind, {**event, "progress": STATE})
    assert (later.worker, later.progress, later.after) == (1, WHAT.reached[1], None)


# A name stands for one execution's work, and work that must not start is refused.


@pytest.mark.parametrize("other", [{"name": "run-2"}, {"arn": "arn:other"}, {"started": "2027-01-01T00:00:00+00:00"}])
def test_another_execution_is_told_to_take_another_name_or_to_resume(other: dict[str, str]) -> None:
    """A name may come again after 90 days."""
    later = replace(NAMED, **other)
    resume = {"resume": later.name}
    with refused(InputError, "the execution's name", later.name, resume, rule="earlier retrofit"):
        check_same(WORK, later)


EVENT = {"input": {}, "name": NAMED.name, "execution": NAMED.arn, "started": NAMED.started}


def telling(found: list[object]) -> Dependencies:
    """Return a log and metrics that add to a list what they are told."""

    class Log:
        def append_keys(self, **keys: object) -> None:
            found.append(("keys", keys))

        def warning(self, message: str, /, **fields: Any) -> None:
            found.append((message, fields))

        info = error = warning

    def emit(figures: Mapping[Metric, float], *, table: str = "", **properties: str) -> None:
        found.append((dict(figures), table, properties))

    return Dependencies(Log(), emit, fault=lambda _: None, scrub=lambda error: error)  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize(
    "error", [InputError("workers", 0, "1 to 100", ""), TableError("table", "Audit", "is not there", "")]
)
def test_a_refused_plan_is_logged_with_its_cause_counted_and_returned(error: SkipscanError) -> None:
    refuse = Mock(side_effect=error)
    found: list[object] = []
    assert begin(RETROFIT, EVENT, refuse, refuse, telling(found)) == ended(RETROFIT, error)
    name = {"retrofit": NAMED.name}
    assert found == [
        ("keys", name),
        ("plan refused", {"error": type(error).__name__, "cause": str(error)}),
        ({Metric.PLANS_REFUSED: 1}, "", name),
    ]


TYPED = "between since until prefix put_item delete_item invoke send set remove separator"


@pytest.mark.parametrize("field", [*TYPED.split(), "the template"])
def test_the_cause_of_a_refusal_that_may_hold_what_a_person_typed_is_not_logged(field: str) -> None:
    refuse = Mock(side_effect=InputError(field, "secret", "of a key", "correct it"))
    found: list[object] = []
    assert "secret" in str(begin(RETROFIT, EVENT, refuse, refuse, telling(found)))
    assert found[1] == ("plan refused", {"error": "InputError", "cause": "the execution shows it"})


def test_the_meter_measures_one_invocation_and_adds_its_commit() -> None:
    meter, now = Meter(gigabytes=2.0), [100.0]
    meter.add(s3_puts=50, s3_gets=60)
    services = meter.begin_invocation(lambda: now[0])
    meter.add(s3_puts=3, s3_gets=4)
    meter.add(s3_gets=1)
    now[0] = 107.5
    used = Services(gb_seconds=15.0, invocations=1, transitions=2, s3_puts=3, s3_gets=5)
    assert services() == used + COMMIT


def test_begun_work_is_the_input_of_its_map_and_is_logged_without_what_a_person_typed(tmp_path: Path) -> None:
    plan = replace(retrofit_plan(4, 3, max_write_units=5.0), templates={"made": "secret-{b}"})
    limits = plan.limits

    class Planned(Planning[Any]):
        def planned(self, execution: ExecutionId, attempt: object) -> tuple[Any, Mapping[str, Any]]:
            return plan, {"explanation": {"minutes": 1}}

    def planning(_: object) -> Planned:
        return Planned(SimpleNamespace(table="Audit", resume=None, dry_run=False), cast(Any, None))

    def results(table: str, name: str) -> Results:
        return Results(Folder(tmp_path), RETROFIT.layout("", table, name, root=""))

    Folder(tmp_path).scratch.mkdir(parents=True)
    found: list[object] = []
    begun = begin(RETROFIT, EVENT, planning, results, telling(found))
    work = RETROFIT.new_work(NAMED, plan)
    # The names that the state machine's Map and Finish read: infra/state_machine.py.
    map_ = {"workers": [0, 1, 2], "workers_at_once": limits.at_once, "overrun": limits.overrun}
    assert begun == {"work": work.to_json(), **map_}
    assert limits.overrun
    stored = results("Audit", NAMED.name).plan()
    assert stored == {**work.to_json(), "dry_run": False, "overrun": limits.overrun, "explanation": {"minutes": 1}}
    [(_, logged)] = [each for each in found if isinstance(each, tuple) and each[0] == "plan"]
    assert (logged["overrun"], logged["plan"]["reading"]["segments"]) == (limits.overrun, 4)
    assert "secret" not in str(found)


@pytest.mark.parametrize(
    ("document", "budget"),
    [
        ({}, 2.5),
        ({"max_dollars": None, "max_read_units": 9}, 2.5),
        ({"max_dollars": 2.5}, 2.5),
        ({"max_dollars": 1}, 1),
        ({"max_dollars": "9"}, "9"),
        ({"profile": True}, None),
        ({"profile": True, "max_read_units": 10**9}, 2.5),
    ],
)
def test_an_input_has_at_most_the_budget_of_its_environment(document: dict[str, Any], budget: object) -> None:
    found: Any = within_ceiling(document, 2.5)
    assert {**document, "max_dollars": budget} == {"max_dollars": None, **found}
    assert within_ceiling(document, None) is document


def test_a_higher_budget_than_the_environment_allows_is_refused() -> None:
    with refused(InputError, "max_dollars", 3, "max_dollars", rule=r"\b2\.5 dollars", way=r"limits\.max_dollars"):
        within_ceiling({"max_dollars": 3}, 2.5)
