"""Thousands of environments in cdk.json: each is read as it was meant, or refused in clear words."""

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.cdk_json import read_environments
from infra.section import CdkJsonError, plain
from tests.house.suite.examples import examples
from tests.simulation.inputs.bent import ANY_TEXT, ANYTHING, EXTREMES, arns, many, near
from tests.simulation.inputs.refusal import subject

pytestmark = pytest.mark.slow

TOPIC = "arn:aws:sns:us-east-1:111111111111:operators"
ARN = "arn:aws:dynamodb:us-east-1:333333333333:table/Customers"


def good() -> dict[str, Any]:
    return {
        "prod": {
            "account": "111111111111",
            "region": "us-east-1",
            "tables": ["Orders", ARN],
            "schedules": {
                "nightly": {
                    "expression": "cron(0 3 * * ? *)",
                    "timezone": "Europe/Berlin",
                    "input": {"table": "Orders", "segments": 4},
                    "enabled": True,
                    "flexible_minutes": 15,
                    "retries": 3,
                    "retry_minutes": 60,
                    "late_after_hours": 26,
                }
            },
            "monitoring": {"dashboard": True, "alarms": True, "topic": TOPIC},
            "retention": {"results_days": 400, "logs_days": 30},
            "tracing": True,
            "keep_results": False,
            "limits": {
                "batch_seconds": 600,
                "batch_pages": 10,
                "batch_keys": 10,
                "batch_bytes": 10,
                "memory_mb": 512,
            },
        }
    }


NEAR_MISSES = (
    st.sampled_from(
        [
            "11111111111",
            111111111111,
            "\u0661" * 12,
            "us-east",
            "US-EAST-1",
            "us-east-\u0661",
            "moon-1",
            ["Orders", "Orders", 1],
            "rate(0 days)",
            "rate(1 fortnight)",
            "rate(\u0661 day)",
            "cron(0 3 * *)",
            "cron(a b c d e f)",
            "at(2030-01-01)",
            "Europe/Berlin ",
            "CEST",
            "../../etc/passwd",
            {"table": "Nowhere"},
            {"table": "Orders", "segment": 1},
            0,
            781,
            255,
            31,
            186,
            1441,
            "arn:aws:sns:eu-west-1:111111111111:operators",
            f"{TOPIC}.fifo",
        ]
    )
    | arns()
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return the path of every object, list and value in a document."""
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in entries:
        yield from places(inner, (*path, name))


PLACES = list(places(good()))[1:]
WORDS = sorted({path[-1] for path in PLACES if isinstance(path[-1], str)})


@st.composite
def bent(draw: st.DrawFn) -> tuple[dict[str, Any], tuple[Any, ...]]:
    """Return a right document with one thing bent, and where that is."""
    document = good()
    path = draw(st.sampled_from(PLACES))
    parent = document
    for step in path[:-1]:
        parent = parent[step]
    bend = draw(st.sampled_from(["value", "value", "near", "name", "add", "remove"]))
    name = draw(st.sampled_from(WORDS).flatmap(near) | ANY_TEXT | st.sampled_from(["x" * 70_000, "", "."]))
    if bend == "value":
        parent[path[-1]] = draw(ANYTHING)
    elif bend == "near":
        parent[path[-1]] = draw(NEAR_MISSES)
    elif bend == "remove":
        del parent[path[-1]]
    elif isinstance(parent, dict):
        parent[name] = parent.pop(path[-1]) if bend == "name" else draw(ANYTHING)
        path = (*path[:-1], name)
    return document, path


def refusal(document: Any) -> str | None:
    """Return the message of a refusal, or `None` for what was read as it was written."""
    before = copy.deepcopy(document) if _is_shallow(document) else None
    try:
        environments = read_environments(document)
    except CdkJsonError as mistake:
        return str(mistake)
    assert before is None or document == before
    for environment in environments:
        written = document[environment.name]
        assert (environment.account, environment.region) == (written["account"], written["region"])
        assert list(environment.tables) == written["tables"]
        assert environment.tracing == written.get("tracing", False)
        assert environment.keep_results == written.get("keep_results", True)
        retention, monitoring = written.get("retention", {}), written.get("monitoring", {})
        assert environment.results_days == retention.get("results_days")
        assert environment.logs_days == retention.get("logs_days", 90)
        assert environment.alarm_topic == monitoring.get("topic")
        assert environment.dashboard == monitoring.get("dashboard", True)
        assert environment.alarms == monitoring.get("alarms", True)
        assert environment.limits.batch_seconds == written.get("limits", {}).get("batch_seconds")
        assert {s.name: s.input for s in environment.schedules} == {
            name: schedule["input"] for name, schedule in written.get("schedules", {}).items()
        }
    return None


def _is_shallow(document: Any) -> bool:
    try:
        repr(document)
    except (RecursionError, ValueError):
        return False
    return True


def test_one_mistake_is_reported_with_its_location() -> None:
    seen: Counter[bool] = Counter()

    @many(1_800)
    @given(bent())
    def each(case: tuple[dict[str, Any], tuple[Any, ...]]) -> None:
        document, path = case
        message = refusal(document)
        seen[message is None] += 1
        if message is None or document == {}:
            return
        said = subject(message)
        # The field itself, a field in it, or a contradiction between a schedule's table and its environment's.
        steps = [plain(str(step)).strip('"')[:60] for step in path]
        place = message if len(steps) == 1 else said
        assert any(step in place for step in steps[-2:]) or said.endswith("input.table"), (path, message)

    each()
    assert seen[False] >= examples(1_200)
    assert seen[True] >= examples(50)


NAMES = st.sampled_from(WORDS) | ANY_TEXT


@many(1_500)
@given(ANYTHING | EXTREMES | st.dictionaries(NAMES, st.dictionaries(NAMES, ANYTHING | NEAR_MISSES)))
def test_any_input_gets_a_clear_answer(document: Any) -> None:
    message = refusal(document)
    if message is not None:
        subject(message)
