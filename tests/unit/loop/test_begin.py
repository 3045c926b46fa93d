"""A name stands for one execution's work, and work that must not start is refused."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from skipscan.errors import InputError, SkipscanError, TableError
from skipscan.loop.begin import begin, check_same, within_ceiling
from skipscan.loop.dependencies import Dependencies
from skipscan.loop.finish import refused as ended
from skipscan.loop.metric import Metric
from skipscan.retrofit.kind import RETROFIT
from tests.refusal import refused
from tests.unit.loop.test_proof import NAMED, WHOLE

WORK = WHOLE["retrofit"].kind.begun(NAMED, WHOLE["retrofit"].plan)


@pytest.mark.parametrize("other", [{"name": "run-2"}, {"arn": "arn:other"}, {"started": "2027-01-01T00:00:00+00:00"}])
def test_another_execution_is_told_to_take_another_name_or_to_resume(other: dict[str, str]) -> None:
    """A name may come again after 90 days."""
    later = replace(NAMED, **other)
    resume = {"resume": later.name}
    with refused(InputError, "the execution's name", later.name, resume, rule="earlier retrofit"):
        check_same(WORK, later)


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
    def refuse(*_: object) -> Any:
        raise error

    found: list[object] = []
    event = {"input": {}, "name": NAMED.name, "execution": NAMED.arn, "started": NAMED.started}
    assert begin(RETROFIT, event, refuse, refuse, telling(found)) == ended(RETROFIT, error)
    name = {"retrofit": NAMED.name}
    assert found == [
        ("keys", name),
        ("plan refused", {"error": type(error).__name__, "cause": str(error)}),
        ({Metric.PLANS_REFUSED: 1}, "", name),
    ]


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
