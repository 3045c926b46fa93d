"""What the state machine tries again, how often and for how long."""

import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from infra.picture import definitions_in
from infra.state_machine import NO_SLOT
from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

Definition = Mapping[str, Any]


def again(errors: Sequence[str], seconds: int, rate: int, attempts: int, **more: object) -> Definition:
    return {
        **{"ErrorEquals": list(errors), "IntervalSeconds": seconds, "BackoffRate": rate, "MaxAttempts": attempts},
        **more,
    }


ALL, SPREAD = ["States.ALL"], {"JitterStrategy": "FULL"}
NEVER = {"ErrorEquals": ["InputError", "StateError", "TableError", "DeniedError"], "MaxAttempts": 0}
IDLE = [f"Lambda.{error}Exception" for error in ("CodeArtifactUserPending", "ResourceConflict", "ResourceNotReady")]
ASLEEP = again(IDLE, 10, 1, 60)
SLOT = again([NO_SLOT], 2, 2, 1000, MaxDelaySeconds=900, **SPREAD)
RECOVERY = again(["ContinuousBackupsUnavailableException"], 20, 1, 90)
FOUR, EIGHT = (again(ALL, 2, 2, attempts, MaxDelaySeconds=300, **SPREAD) for attempts in (4, 8))
RETRIED: dict[tuple[str, ...], tuple[list[Definition], int | None]] = {
    ("Plan", "Plan act", "Plan retrofit", "Compare"): ([NEVER, ASLEEP, SLOT, FOUR], 960),
    ("Plan copy",): ([NEVER, RECOVERY, ASLEEP, SLOT, FOUR], 960),
    ("Scan", "Act", "Retrofit", "Copy page"): ([NEVER, ASLEEP, SLOT, EIGHT], 960),
    ("Finish", "Finish act", "Finish retrofit", "Finish copy"): ([NEVER, ASLEEP, SLOT, EIGHT], 960),
    ("Report", "Report act", "Report retrofit", "Report copy"): ([ASLEEP, again(ALL, 2, 2, 2, **SPREAD)], 360),
    ("Announce", "Publish"): ([again(ALL, 2, 2, 4, **SPREAD)], None),
}
"""By tasks: their retriers, and the seconds after which an answer is lost: a minute more than a function may run."""


def test_every_task_of_every_machine_is_tried_again_as_its_kind_is(templates: Mapping[str, Template]) -> None:
    made: dict[str, Any] = {}
    for template in templates.values():
        for definition in definitions_in(template.document):
            states = {**definition["States"], **definition["States"]["Workers"]["ItemProcessor"]["States"]}
            tasks = {name: state for name, state in states.items() if state["Type"] == "Task"}
            made |= {name: (state["Retry"], state.get("TimeoutSeconds")) for name, state in tasks.items()}
    assert made == {name: expected for names, expected in RETRIED.items() for name in names}


NUMBERS = {"two": 2, "four": 4, "eight": 8}


def test_the_page_of_errors_has_the_attempts_of_every_state(definition: Definition) -> None:
    rows = re.findall(r"^\| in (.+) \| (\w+) in ", Path("docs/errors.md").read_text(), re.MULTILINE)
    said = {state: NUMBERS[number] for cell, number in rows for state in re.findall(r"\*(\w+)\*", cell)}
    states = {"Plan", "Finish", "Compare", "Report"}
    made = {state: task(definition, state)["Retry"][-1]["MaxAttempts"] for state in states}
    assert said == {**made, "Workers": task(definition, "Scan")["Retry"][-1]["MaxAttempts"]}


@pytest.mark.parametrize("state", ["Plan", "Scan", "Finish", "Compare"])
def test_a_function_without_a_slot_is_retried_for_days(definition: Definition, state: str) -> None:
    names = [name for retrier in task(definition, state)["Retry"] for name in retrier["ErrorEquals"]]
    assert names.index(NO_SLOT) < names.index("States.ALL")
    assert mean_wait_seconds(retrier_of(definition, state, NO_SLOT)) > 4 * 24 * 3600


@pytest.mark.parametrize(("workers", "slots"), [(16, 10), (16, 1), (100, 99)])
def test_workers_that_get_no_slot_outlast_those_that_work(definition: Definition, workers: int, slots: int) -> None:
    """Workers at work take their slots back within a tenth of a second; each has five hours of work."""
    for seed in range(20):
        assert failed_workers(retrier_of(definition, "Scan", NO_SLOT), workers, slots, Random(seed)) == 0


def test_without_a_retrier_of_their_own_they_would_not(definition: Definition) -> None:
    """The check of the check: with what any other error is retried by, every such run fails."""
    usual = retrier_of(definition, "Scan", "States.ALL")
    assert all(failed_workers(usual, 16, 10, Random(seed)) > 0 for seed in range(20))


def retrier_of(definition: Definition, state: str, error: str) -> Definition:
    [found] = [each for each in task(definition, state)["Retry"] if error in each["ErrorEquals"]]
    return dict(found)


def delays(retrier: Definition) -> Iterator[float]:
    """The longest delay before each attempt; with full jitter, any from zero to it is as likely."""
    delay = float(retrier["IntervalSeconds"])
    for _ in range(retrier["MaxAttempts"]):
        yield min(delay, retrier["MaxDelaySeconds"])
        delay = min(delay * retrier["BackoffRate"], retrier["MaxDelaySeconds"])


def mean_wait_seconds(retrier: Definition) -> float:
    return sum(delays(retrier)) / 2


TURN_SECONDS, GAP_SECONDS, TURNS = 240.0, 0.1, 75


def failed_workers(retrier: Definition, workers: int, slots: int, random: Random) -> int:
    """Simulate workers that share fewer slots than they are; return how many ran out of attempts."""
    waits = {worker: delays(retrier) for worker in range(workers)}
    turns = dict.fromkeys(range(workers), TURNS)
    free, failed = slots, 0
    events = [(random.uniform(0, 1), worker, False) for worker in range(workers)]
    heapq.heapify(events)
    while events:
        now, worker, is_end = heapq.heappop(events)
        if is_end:
            free += 1
            turns[worker] -= 1
            if turns[worker]:
                waits[worker] = delays(retrier)
                heapq.heappush(events, (now + GAP_SECONDS, worker, False))
        elif free:
            free -= 1
            heapq.heappush(events, (now + TURN_SECONDS, worker, True))
        elif (longest := next(waits[worker], None)) is not None:
            heapq.heappush(events, (now + random.uniform(0, longest), worker, False))
        else:
            failed += 1
    return failed


def task(definition: Definition, state: str) -> dict[str, Any]:
    worker = definition["States"]["Workers"]["ItemProcessor"]["States"]
    return dict({**definition["States"], **worker}[state])
