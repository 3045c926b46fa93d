"""The state machines: what is tried again and for how long, what is announced, and who may run them."""

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from infra.picture import PAGE, definitions_in, draw, put_in
from infra.state_machine import NO_SLOT
from local.checkout import NODE, NODE_MODULES, ROOT
from skipscan.environment import KINDS
from tests.engines.infra.conftest import ENVIRONMENTS, RUNS
from tests.engines.infra.template import Template
from verify.stack import prefix

pytestmark = pytest.mark.xdist_group("synth")

Definition = Mapping[str, Any]

VALIDATE = """
const definitions = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(definitions.flatMap(definition => require("asl-validator")(definition).errors)));
"""


def errors_in(*definitions: Definition) -> list[dict[str, Any]]:
    """What is wrong by the rules of Amazon States Language."""
    program = [str(NODE), "-e", VALIDATE]
    document = json.dumps(definitions)
    return list(json.loads(subprocess.check_output(program, input=document, cwd=NODE_MODULES.parent, text=True)))


def test_every_definition_and_example_is_valid_and_a_missing_state_is_found(
    templates: Mapping[str, Template], definition: Definition
) -> None:
    every = [each for template in templates.values() for each in definitions_in(template.document)]
    assert len(every) > len(templates)
    for name in ("distributed-map.json", "nightly-trim.json"):
        text = (ROOT / "examples" / name).read_text()
        text = text.replace("FUNCTION_ARN", "arn:aws:lambda:us-east-1:111111111111:function:receiver")
        every.append(
            json.loads(re.sub("(RUN|ACT)_MACHINE_ARN", "arn:aws:states:us-east-1:111111111111:stateMachine:x", text))
        )
    states = {name: state for name, state in definition["States"].items() if name != "Finish"}
    assert errors_in(*every) == []
    assert "Finish" in str(errors_in({**definition, "States": states}))


def machines(template: Template, environment: str) -> dict[str, Definition]:
    """Return the definitions of an environment by the kind of work; `run` is a listing's."""
    names = [each["StateMachineName"] for each in template.every("AWS::StepFunctions::StateMachine")]
    kinds = [name.removeprefix(f"skipscan-{environment}").lstrip("-") or "run" for name in names]
    return dict(zip(kinds, definitions_in(template.document), strict=True))


def condition(rule: Mapping[str, Any]) -> str:
    if "And" in rule:
        return " and ".join(map(condition, rule["And"]))
    [(operator, value)] = [each for each in rule.items() if each[0] not in {"Variable", "Next"}]
    return f"{rule['Variable']} {operator} {value}"


OF_VERIFY = f"$.table IsPresent True and $.table StringMatches {prefix('')[:-1]}*"
UNCHANGED = " and ".join(
    (
        "$.output.table StringMatches *",
        "$.output.diff IsPresent True",
        "$.output.diff.new_keys NumericEquals 0",
        "$.output.diff.vanished_keys NumericEquals 0",
    )
)


def test_no_run_of_make_verify_is_announced_and_none_without_a_difference_where_that_is_asked(
    full: Template, watched: Template
) -> None:
    of_verify = machines(full, "full")["run"]["States"]["Run of make verify?"]
    due = machines(watched, "watched")["run"]["States"]["Notice due?"]
    for state, rule, ends, otherwise in (
        (of_verify, OF_VERIFY, "Run done", "Announcement"),
        (due, UNCHANGED, "Output of the run", "Publish"),
    ):
        [choice] = state["Choices"]
        assert (condition(choice), choice["Next"], state["Default"]) == (rule, ends, otherwise)


def all_states(definition: Definition) -> dict[str, Any]:
    return {**definition["States"], **definition["States"]["Workers"]["ItemProcessor"]["States"]}


@pytest.mark.parametrize("kind", KINDS)
def test_plan_says_how_many_workers_there_are_at_once_and_none_may_fail_but_the_report(
    company: Template, kind: str
) -> None:
    states = all_states(machines(company, "company")[kind])
    workers = states["Workers"]
    assert workers["ItemProcessor"]["ProcessorConfig"] == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    assert not [field for field in workers if field.startswith("Tolerated")]
    assert workers["MaxConcurrencyPath"] == "$.workers_at_once", "a run at a low rate has one after the other"
    assert states[KINDS[kind].states["report"]]["Catch"][0]["ResultPath"] == "$.not_reported"
    assert "TimeoutSeconds" not in machines(company, "company")[kind], "an execution may take as long as it needs"


def test_an_announcement_is_the_output_with_its_version_and_can_fail_nothing(full: Template) -> None:
    """An event holds it as JSON, a message as text, and an e-mail is a sentence."""
    [definition] = definitions_in(full.document)
    states = definition["States"]
    announced = {"version": 1, "environment": "full", "execution.$": "$$.Execution.Id", "output.$": "$"}
    assert states["Announcement"]["Parameters"] == announced
    [entry] = states["Announce"]["Parameters"]["Entries"]
    assert states["Announce"]["Resource"].endswith(":states:::events:putEvents")
    assert (entry["Source"], entry["DetailType"], entry["Detail.$"]) == ("skipscan", "Skipscan Run Finished", "$")
    assert entry["EventBusName"].endswith(":events:eu-central-1:222222222222:event-bus/default")
    assert states["Publish"]["Resource"].endswith(":states:::sns:publish")
    assert states["Publish"]["Parameters"] == {
        "TopicArn": RUNS,
        "MessageStructure": "json",
        "Subject": "skipscan-full: run finished",
        "Message": {"default.$": "States.JsonToString($)", "email.$": "$.output.notice"},
    }
    for state, note in (("Announce", "$.output.not_announced"), ("Publish", "$.output.not_published")):
        assert (states[state]["ResultPath"], states[state]["Catch"][0]["ResultPath"]) == (None, note)
    assert states["Output of the run"]["InputPath"] == "$.output"


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_role_of_a_machine_is_for_its_own_machine_and_the_workers_of_its_map(
    templates: Mapping[str, Template], environment: str
) -> None:
    template, made = templates[environment], ENVIRONMENTS[environment]
    states = f"arn:aws:states:{made['region']}:{made['account']}"
    for machine in template.every("AWS::StepFunctions::StateMachine"):
        role = template.document["Resources"][machine["RoleArn"]["Fn::GetAtt"][0]]["Properties"]
        [statement] = role["AssumeRolePolicyDocument"]["Statement"]
        patterns = template.spelled(statement["Condition"])["ArnLike"]["aws:SourceArn"]
        name = machine["StateMachineName"]
        own = [f"stateMachine:{name}{path}" for path in ("", "/Workers", "/Workers:0c4d-11")]
        own += [f"execution:{name}:run-1", f"execution:{name}/Workers:0c4d", f"mapRun:{name}/Workers:0c4d"]
        other = [f"stateMachine:{name}-x", f"execution:{name}-x:run-1", f"mapRun:{name}-x/Workers:0c4d", "activity:x"]
        trusted = [
            one for one in (*own, *other) if any(fnmatchcase(f"{states}:{one}", pattern) for pattern in patterns)
        ]
        assert trusted == own
        assert all(pattern.startswith(f"{states}:") for pattern in patterns)


def test_the_page_shows_the_state_machine_as_it_is(definition: Mapping[str, Any]) -> None:
    page = PAGE.read_text()
    assert page == put_in(page, draw(definition)), "draw it anew: python -m infra.picture"
    assert draw(definition) in page


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
            tasks = {name: state for name, state in all_states(definition).items() if state["Type"] == "Task"}
            made |= {name: (state["Retry"], state.get("TimeoutSeconds")) for name, state in tasks.items()}
    assert made == {name: expected for names, expected in RETRIED.items() for name in names}


def test_the_page_of_errors_has_the_attempts_of_every_state(definition: Definition) -> None:
    numbers = {"two": 2, "four": 4, "eight": 8}
    rows = re.findall(r"^\| in (.+) \| (\w+) in ", Path("docs/errors.md").read_text(), re.MULTILINE)
    said = {state: numbers[number] for cell, number in rows for state in re.findall(r"\*(\w+)\*", cell)}
    tasks = {**all_states(definition), "Workers": all_states(definition)["Scan"]}
    assert said == {state: tasks[state]["Retry"][-1]["MaxAttempts"] for state in said}
    assert said.keys() == {"Plan", "Workers", "Finish", "Compare", "Report"}
