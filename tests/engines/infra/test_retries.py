"""What the state machine tries again, how often and for how long."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
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
# Of an act: its run's manifest or one of its parts was changed.
NEVER = {
    "ErrorEquals": ["InputError", "StateError", "TableError", "DeniedError", "IncompleteRunError"],
    "MaxAttempts": 0,
}
IDLE = [f"Lambda.{error}Exception" for error in ("CodeArtifactUserPending", "ResourceConflict", "ResourceNotReady")]
ASLEEP = again(IDLE, 10, 1, 60)
# Before "States.ALL", and for more than four days: sixteen workers with five hours of work each, and one slot.
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


def task(definition: Definition, state: str) -> dict[str, Any]:
    worker = definition["States"]["Workers"]["ItemProcessor"]["States"]
    return dict({**definition["States"], **worker}[state])
