"""Traces where an environment enables them, and no permission to send any elsewhere."""

import pytest

from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

SEND = {("xray:PutTraceSegments", "*"), ("xray:PutTelemetryRecords", "*")}
SAMPLE = {("xray:GetSamplingRules", "*"), ("xray:GetSamplingTargets", "*")}


def xray(template: Template, role: dict[str, list[str]]) -> set[tuple[str, str]]:
    return {(action, on) for action, on in template.permissions(role) if action.startswith("xray:")}


def test_every_function_and_machine_traces_and_may_do_what_that_takes(watched: Template) -> None:
    functions, machines = watched.every("AWS::Lambda::Function"), watched.every("AWS::StepFunctions::StateMachine")
    assert (len(functions), len(machines)) == (11, 2)
    for function in functions:
        assert function["TracingConfig"] == {"Mode": "Active"}
        assert xray(watched, function["Role"]) == SEND
    for machine in machines:
        assert machine["TracingConfiguration"] == {"Enabled": True}
        assert xray(watched, machine["RoleArn"]) == SEND | SAMPLE


def test_nothing_is_traced_by_default(full: Template) -> None:
    assert "xray" not in str(full.document)
    assert "Tracing" not in str(full.document)
