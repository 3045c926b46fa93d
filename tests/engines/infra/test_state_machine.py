"""The state machines: what follows what, what each state is given, and who may run them."""

import json
import subprocess
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest

from infra.picture import PAGE, definitions_in, draw, put_in
from local.checkout import NODE, NODE_MODULES, ROOT
from skipscan.environment import KINDS
from tests.engines.infra.conftest import ENVIRONMENTS, RUNS
from tests.engines.infra.template import Template
from tests.engines.infra.test_retries import Definition
from verify.stack import prefix

pytestmark = pytest.mark.xdist_group("synth")


VALIDATE = """
const definitions = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(definitions.flatMap(definition => require("asl-validator")(definition).errors)));
"""


def errors_in(*definitions: Definition) -> list[dict[str, Any]]:
    """What is wrong by the rules of Amazon States Language."""
    program = [str(NODE), "-e", VALIDATE]
    document = json.dumps(definitions)
    return list(json.loads(subprocess.check_output(program, input=document, cwd=NODE_MODULES.parent, text=True)))


def test_every_definition_of_every_environment_is_valid(templates: Mapping[str, Template]) -> None:
    definitions = [each for template in templates.values() for each in definitions_in(template.document)]
    assert len(definitions) > len(templates)
    assert errors_in(*definitions) == []


def test_the_example_machines_are_valid() -> None:
    arns = {
        "FUNCTION_ARN": "arn:aws:lambda:us-east-1:111111111111:function:receiver",
        "RUN_MACHINE_ARN": "arn:aws:states:us-east-1:111111111111:stateMachine:skipscan-dev",
        "ACT_MACHINE_ARN": "arn:aws:states:us-east-1:111111111111:stateMachine:skipscan-dev-act",
    }
    examples = [(ROOT / "examples" / name).read_text() for name in ("distributed-map.json", "nightly-trim.json")]
    for name, arn in arns.items():
        examples = [example.replace(name, arn) for example in examples]
    assert errors_in(*map(json.loads, examples)) == []


def test_the_check_of_the_definition_finds_a_missing_state(definition: Definition) -> None:
    states = {name: state for name, state in definition["States"].items() if name != "Finish"}
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
def test_no_failed_worker_is_tolerated_and_a_failed_report_is_noted(company: Template, kind: str) -> None:
    states = all_states(machines(company, "company")[kind])
    workers = states["Workers"]
    assert workers["ItemProcessor"]["ProcessorConfig"] == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    assert not [field for field in workers if field.startswith("Tolerated")]
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


def test_a_rule_it_has_no_words_for_is_an_error() -> None:
    rule = {"Variable": "$.keys", "NumericGreaterThan": 5, "Next": "Done"}
    states = {"Many?": {"Type": "Choice", "Choices": [rule]}, "Done": {"Type": "Succeed"}}
    with pytest.raises(ValueError, match="no words for the rule"):
        draw({"StartAt": "Many?", "States": states})


def test_a_drawing_replaces_the_text_between_the_marks() -> None:
    page = "before\n<!-- state-machine:begin -->\nold\n<!-- state-machine:end -->\nafter\n"
    once = put_in(page, "flowchart TD")
    assert once == (
        "before\n<!-- state-machine:begin -->\n```mermaid\nflowchart TD\n```\n<!-- state-machine:end -->\nafter\n"
    )
    assert put_in(once, "flowchart TD") == once
