import json
import re
import subprocess
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest

from infra.picture import definitions_in
from local.checkout import NODE, NODE_MODULES, ROOT
from skipscan.environment import KINDS
from tests.engines.infra.template import Template
from tests.engines.infra.test_retries import Definition, task

pytestmark = pytest.mark.xdist_group("synth")

VALIDATE = """
const definitions = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(definitions.flatMap(definition => require("asl-validator")(definition).errors)));
"""


def test_every_definition_of_every_environment_is_valid(templates: Mapping[str, Template]) -> None:
    definitions = [each for template in templates.values() for each in definitions_in(template.document)]
    assert len(definitions) > len(templates)
    assert errors_in(*definitions) == []


def test_the_example_over_the_keys_of_a_run_is_valid() -> None:
    example = (ROOT / "examples" / "distributed-map.json").read_text()
    function = "arn:aws:lambda:us-east-1:111111111111:function:receiver"
    assert errors_in(json.loads(example.replace("FUNCTION_ARN", function))) == []


def test_the_check_of_the_definition_finds_a_missing_state(definition: Definition) -> None:
    states = {name: state for name, state in definition["States"].items() if name != "Finish"}
    assert "Finish" in str(errors_in({**definition, "States": states}))


def test_plans_then_maps_over_workers_then_finishes(definition: Definition) -> None:
    states = definition["States"]
    assert definition["StartAt"] == "Plan"
    assert states["Plan"]["Next"] == "Plan accepted?"
    assert states["Plan accepted?"]["Default"] == "Workers"
    assert states["Workers"]["Next"] == "Finish"
    assert states["Finish"]["Next"] == "Run complete?"
    assert states["Run complete?"]["Default"] == "Report"
    assert states["Report"]["Next"] == "Comparison asked?"
    assert states["Run done"] == {"Type": "Succeed"}


def test_the_description_has_an_example_input_and_the_page_of_all_fields(templates: Mapping[str, Template]) -> None:
    comments = {
        definition["Comment"] for template in templates.values() for definition in definitions_in(template.document)
    }
    assert len(comments) == len(KINDS)
    for kind in KINDS.values():
        [comment] = (each for each in comments if each.startswith(f"{kind.comment}. "))
        assert f"Example: {json.dumps(kind.example)}. All fields: docs/{kind.page}, or skipscan schema" in comment


def test_plan_is_given_the_input_and_the_name_of_the_execution(definition: Definition) -> None:
    assert definition["States"]["Plan"]["Parameters"] == {
        "input.$": "$",
        "name.$": "$$.Execution.Name",
        "execution.$": "$$.Execution.Id",
        "started.$": "$$.Execution.StartTime",
    }


@pytest.mark.parametrize(("choice", "end"), [("Plan accepted?", "Plan refused"), ("Run complete?", "Run incomplete")])
def test_a_returned_error_fails_the_execution_with_its_name_and_cause(
    definition: Definition, choice: str, end: str
) -> None:
    states = definition["States"]
    assert states[choice]["Choices"][0] == {"Variable": "$.error", "IsPresent": True, "Next": end}
    assert states[end] == {"Type": "Fail", "ErrorPath": "$.error", "CausePath": "$.cause"}


def test_a_dry_run_ends_after_plan_with_its_explanation(definition: Definition) -> None:
    states = definition["States"]
    rule = {"Variable": "$.explanation", "IsPresent": True, "Next": "Plan only"}
    assert states["Plan accepted?"]["Choices"][1:] == [rule]
    assert states["Plan only"] == {"Type": "Succeed", "OutputPath": "$.explanation"}


def test_a_requested_comparison_is_made_before_the_run_ends(definition: Definition) -> None:
    states = definition["States"]
    rule = {"Variable": "$.compare", "IsPresent": True, "Next": "Compare"}
    assert states["Comparison asked?"]["Choices"] == [rule]
    assert states["Comparison asked?"]["Default"] == states["Notice of both runs"]["Next"] == "Run done"
    assert states["Compare"]["Next"] == "Notice of both runs"
    assert states["Compare"]["ResultPath"] == "$.diff"
    assert not {"Parameters", "InputPath", "ResultSelector"} & states["Compare"].keys()


def test_every_worker_is_an_execution_of_its_own_with_the_run_and_its_number(definition: Definition) -> None:
    workers = definition["States"]["Workers"]
    assert workers["ItemProcessor"]["ProcessorConfig"] == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    assert workers["ItemsPath"] == "$.workers"
    assert workers["ItemSelector"] == {"work.$": "$.work", "worker.$": "$$.Map.Item.Value"}
    assert workers["MaxConcurrencyPath"] == "$.workers_at_once"


def test_no_failed_worker_is_tolerated(definition: Definition) -> None:
    assert not [field for field in definition["States"]["Workers"] if field.startswith("Tolerated")]


def test_a_worker_scans_until_its_segments_are_done(definition: Definition) -> None:
    worker = definition["States"]["Workers"]["ItemProcessor"]
    states = worker["States"]
    assert worker["StartAt"] == "Scan"
    assert states["Scan"]["ResultPath"] == "$.progress"
    assert states["Scan"]["Next"] == "Segments left?"
    assert states["Segments left?"]["Choices"] == [
        {"Variable": "$.progress.done", "BooleanEquals": False, "Next": "Scan"},
        {"Variable": "$.progress.paid_off", "IsPresent": True, "Next": "Wait for the rate"},
    ]
    assert states["Segments left?"]["Default"] == "Worker done"


def test_a_worker_holds_its_place_until_its_debts_are_paid_off(definition: Definition) -> None:
    states = definition["States"]["Workers"]["ItemProcessor"]["States"]
    wait = {"Type": "Wait", "TimestampPath": "$.progress.paid_off", "Next": "Worker done"}
    assert states["Wait for the rate"] == wait


def test_scan_is_given_the_whole_state_of_its_worker(definition: Definition) -> None:
    scan = definition["States"]["Workers"]["ItemProcessor"]["States"]["Scan"]
    assert not {"Parameters", "InputPath", "ResultSelector"} & scan.keys()


def test_a_worker_leaves_its_report_alone(definition: Definition) -> None:
    done = definition["States"]["Workers"]["ItemProcessor"]["States"]["Worker done"]
    assert done == {"Type": "Succeed", "OutputPath": "$.progress.report"}


def test_finish_is_given_the_run_and_the_reports(definition: Definition) -> None:
    assert definition["States"]["Workers"]["ResultPath"] == "$.reports"
    assert definition["States"]["Finish"]["Parameters"] == {"work.$": "$.work", "reports.$": "$.reports"}


def test_every_machine_ends_with_a_report_that_cannot_fail_it(templates: Mapping[str, Template]) -> None:
    machines = [each for template in templates.values() for each in definitions_in(template.document)]
    reports = [(name, state) for each in machines for name, state in each["States"].items() if "Report" in name]
    assert len(reports) == len(machines)
    assert {name for name, _ in reports} == {"Report", "Report act", "Report retrofit", "Report copy"}
    assert all(state["Catch"][0]["ErrorEquals"] == ["States.ALL"] for _, state in reports)


@pytest.mark.parametrize("state", ["Plan", "Scan", "Finish", "Report", "Compare"])
def test_a_lost_answer_does_not_hold_the_execution(definition: Definition, plain: Template, state: str) -> None:
    function = plain.the("AWS::Lambda::Function", FunctionName=f"skipscan-plain-{state.lower()}")
    assert function["Timeout"] < task(definition, state)["TimeoutSeconds"] <= 960


def test_an_execution_may_take_as_long_as_it_needs(definition: Definition) -> None:
    assert "TimeoutSeconds" not in definition


def test_the_machine_is_a_standard_one_named_after_its_environment(plain: Template) -> None:
    machine = plain.the("AWS::StepFunctions::StateMachine")
    assert machine["StateMachineName"] == "skipscan-plain"
    assert machine.get("StateMachineType", "STANDARD") == "STANDARD"


def test_no_state_is_logged_because_it_holds_key_values(plain: Template) -> None:
    assert "LoggingConfiguration" not in plain.the("AWS::StepFunctions::StateMachine")


def test_the_machine_may_call_its_functions_and_run_its_map_and_nothing_else(plain: Template) -> None:
    states = "arn:aws:states:us-east-1:111111111111"
    executions = f"{states}:execution:skipscan-plain"
    assert plain.permissions(plain.the("AWS::StepFunctions::StateMachine")["RoleArn"]) == {
        *(
            ("lambda:InvokeFunction", f"skipscan-plain-{state}:*")
            for state in ("plan", "scan", "finish", "report", "compare")
        ),
        ("states:StartExecution", f"{states}:stateMachine:skipscan-plain"),
        ("states:DescribeExecution", f"{executions}:*"),
        ("states:StopExecution", f"{executions}:*"),
        ("states:RedriveExecution", f"{executions}/Workers:*"),
    }


def test_the_role_of_the_machine_is_for_machines_of_its_account(plain: Template) -> None:
    [trusted] = [
        statement
        for role in plain.every("AWS::IAM::Role")
        for statement in role["AssumeRolePolicyDocument"]["Statement"]
        if statement["Principal"] == {"Service": "states.amazonaws.com"}
    ]
    states = "arn:aws:states:us-east-1:111111111111"
    condition = plain.spelled(trusted["Condition"])
    assert condition.keys() == {"StringEquals", "ArnLike"}
    assert condition["StringEquals"] == {"aws:SourceAccount": "111111111111"}
    assert all(arn.startswith(f"{states}:") for arn in condition["ArnLike"]["aws:SourceArn"])


def test_the_role_of_the_machine_is_for_its_own_machine_and_the_workers_of_its_map(plain: Template) -> None:
    machine = plain.the("AWS::StepFunctions::StateMachine")
    role = plain.document["Resources"][machine["RoleArn"]["Fn::GetAtt"][0]]["Properties"]
    [statement] = role["AssumeRolePolicyDocument"]["Statement"]
    states = "arn:aws:states:us-east-1:111111111111"
    patterns = plain.spelled(statement["Condition"])["ArnLike"]["aws:SourceArn"]

    def is_trusted(resource: str) -> bool:
        return any(fnmatchcase(f"{states}:{resource}", pattern) for pattern in patterns)

    name = machine["StateMachineName"]
    for own in ("", "/Workers", "/Workers:0c4d-11"):
        assert is_trusted(f"stateMachine:{name}{own}")
    for own in (f"execution:{name}:run-1", f"execution:{name}/Workers:0c4d", f"mapRun:{name}/Workers:0c4d"):
        assert is_trusted(own)
    for other in (
        f"stateMachine:{name}-act",
        f"execution:{name}-act:run-1",
        f"mapRun:{name}-act/Workers:0c4d",
        "activity:x",
    ):
        assert not is_trusted(other)


def test_a_state_invokes_a_published_version_that_stays_when_another_is_deployed(plain: Template) -> None:
    resources = plain.document["Resources"]
    published = {name for name, resource in resources.items() if resource["Type"] == "AWS::Lambda::Version"}
    text = json.dumps(plain.the("AWS::StepFunctions::StateMachine")["DefinitionString"])
    assert set(re.findall(r'{"Ref": "(\w+)"}', text)) >= published
    assert '"Fn::GetAtt"' not in text
    assert len(published) == len(plain.every("AWS::Lambda::Function")) == 5
    assert {(resources[name]["DeletionPolicy"], resources[name]["UpdateReplacePolicy"]) for name in published} == {
        ("Retain", "Retain")
    }


def errors_in(*definitions: Definition) -> list[dict[str, Any]]:
    """What is wrong by the rules of Amazon States Language."""
    program = [str(NODE), "-e", VALIDATE]
    document = json.dumps(definitions)
    return list(json.loads(subprocess.check_output(program, input=document, cwd=NODE_MODULES.parent, text=True)))
