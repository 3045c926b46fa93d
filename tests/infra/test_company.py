"""What companies ask of all that is deployed: a boundary, a path, tags, a network, a share of the concurrency."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aws_cdk import App

from infra.cdk_json import read_environments
from infra.restricted import NETWORK
from infra.section import CdkJsonError
from infra.stack import SkipscanStack
from tests.infra.conftest import BOUNDARY, ENVIRONMENTS, QUEUE
from tests.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

TAGGED = ("IAM::Role", "Lambda::Function", "Logs::LogGroup", "S3::Bucket", "SQS::Queue", "StepFunctions::StateMachine")


def test_every_role_has_the_boundary_and_the_path(company: Template, plain: Template) -> None:
    roles = company.every("AWS::IAM::Role")
    assert len(roles) > 10
    assert {(role["PermissionsBoundary"], role["Path"]) for role in roles} == {(BOUNDARY, "/teams/data/")}
    assert not [role for role in plain.every("AWS::IAM::Role") if {"PermissionsBoundary", "Path"} & role.keys()]


@pytest.mark.parametrize("kind", TAGGED)
def test_everything_that_has_tags_has_the_tag(company: Template, kind: str) -> None:
    found = company.every(f"AWS::{kind}")
    assert found
    for each in found:
        assert {"Key": "cost-center", "Value": "4711"} in each["Tags"]


def test_every_function_runs_in_the_network_and_may(company: Template, plain: Template) -> None:
    functions = company.every("AWS::Lambda::Function")
    assert len(functions) == 18
    network = {"SubnetIds": ["subnet-0123456789abcdef0"], "SecurityGroupIds": ["sg-0123456789abcdef0"]}
    for function in functions:
        assert function["VpcConfig"] == network
        assert {(action, "*") for action in NETWORK} <= company.permissions(function["Role"])
    assert "ec2:" not in json.dumps(plain.document)


def test_workers_have_the_concurrency_that_is_reserved_and_plan_knows_it(company: Template) -> None:
    reserved = {
        function["FunctionName"].removeprefix("skipscan-company-"): function["ReservedConcurrentExecutions"]
        for function in company.every("AWS::Lambda::Function")
        if "ReservedConcurrentExecutions" in function
    }
    assert reserved == dict.fromkeys(("scan", "act", "retrofit", "copy-page"), 8)
    plan = company.the("AWS::Lambda::Function", FunctionName="skipscan-company-plan")
    assert plan["Environment"]["Variables"]["SKIPSCAN_RESERVED_CONCURRENCY"] == "8"


def test_act_may_use_the_keys_of_its_queues_through_sqs(company: Template, plain: Template) -> None:
    act = company.the("AWS::Lambda::Function", FunctionName="skipscan-company-act")
    key = "arn:aws:kms:us-east-1:222222222222:key/d0000000-0000-4000-8000-000000000000"
    via = f"{key} if kms:ViaService StringEquals sqs.us-east-1.amazonaws.com"
    assert {(action, on) for action, on in company.permissions(act["Role"]) if action.startswith("kms:")} == {
        ("kms:GenerateDataKey", via),
        ("kms:Decrypt", via),
    }


PLAIN: Any = ENVIRONMENTS["plain"]


def versions(template: Template) -> set[str]:
    resources = template.document["Resources"]
    return {name for name, each in resources.items() if each["Type"] == "AWS::Lambda::Version"}


def test_another_role_path_publishes_versions_because_it_replaces_the_roles() -> None:
    """A version keeps the role that it was published with (API reference, UpdateFunctionConfiguration)."""
    paths = (None, "/a/", "/b/")
    of_path = [versions(stack_of(**{"role_path": path} if path else {})) for path in paths]
    assert len(set.union(*of_path)) == sum(map(len, of_path)) > 0


def test_the_path_that_is_the_default_publishes_nothing() -> None:
    """Lambda refuses to publish what has not changed."""
    assert versions(stack_of(role_path="/")) == versions(stack_of())


def stack_of(**fields: object) -> Template:
    app = App()
    [environment] = read_environments({"big": {**PLAIN, **fields}})
    stack = SkipscanStack(app, "skipscan-big", environment=environment, keep_results=True)
    return Template(app.synth().get_stack_artifact(stack.artifact_id).template)


def test_more_variables_than_lambda_takes_stop_synth() -> None:
    # 4 KB in all: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
    tables = [f"A-table-with-a-name-{number:02d}" for number in range(40)]
    writing = {table: {"act": True, "targets": [QUEUE]} for table in tables}
    with pytest.raises(CdkJsonError, match=r"take up to 10,\d{3} bytes in the function of Plan act; .* 4,096 in all"):
        stack_of(tables=tables, writing=writing)


def test_nine_copies_with_usual_names_fit_into_the_variables_of_a_function() -> None:
    def copied(table: str) -> dict[str, Any]:
        stream = f"arn:aws:dynamodb:us-east-1:111111111111:table/{table}/stream/2026-01-01T00:00:00.000"
        return {"copy": {"to": f"{table}-2", "stream": stream}}

    tables = [f"Orders-of-{number:02d}" for number in range(9)]
    stack_of(tables=tables, writing={table: copied(table) for table in tables})


def test_sixty_tables_make_managed_policies_and_cloudformation_may_make_them() -> None:
    """CDK splits what is too long for a role's inline policy, 10,240 characters."""
    big = stack_of(tables=[f"A-table-with-a-long-name-{number:02d}" for number in range(60)])
    managed = big.every("AWS::IAM::ManagedPolicy")
    assert managed
    attached: dict[str, int] = {}
    for policy in managed:
        for role in policy.get("Roles", []):
            attached[role["Ref"]] = attached.get(role["Ref"], 0) + 1
    assert attached
    assert max(attached.values()) <= 10, "IAM attaches ten managed policies to a role by default"
