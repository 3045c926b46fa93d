"""parliament finds nothing in the policies of roles, buckets, keys and people that has no reason here.

It runs in the virtual environment of the tools, because it needs a setuptools that nothing else does.
"""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from infra.bundle import ROOT
from infra.restricted import NETWORK
from tests.engines.infra.template import Template

pytestmark = [pytest.mark.xdist_group("synth"), pytest.mark.long]

PYTHON = ROOT / ".venv-tools" / "bin" / "python"
PROGRAM = """
import json, sys, parliament
for name, document in json.load(sys.stdin).items():
    for finding in parliament.analyze_policy_string(json.dumps(document)).findings:
        print(json.dumps([name, finding.issue, finding.detail], default=str))
"""
PLACE = {"REGION": "us-east-1", "ACCOUNT": "111111111111", "ENVIRONMENT": "dev", "BUCKET": "results", "TABLE": "Orders"}
REFERRED = {
    "AWS::S3::Bucket": "arn:aws:s3:::results",
    "AWS::SQS::Queue": "arn:aws:sqs:us-east-1:111111111111:queue",
    "AWS::Logs::LogGroup": "arn:aws:logs:us-east-1:111111111111:log-group:logs:*",
    "AWS::Lambda::Function": "arn:aws:lambda:us-east-1:111111111111:function:name",
    "AWS::Lambda::EventSourceMapping": "a0000000-0000-4000-8000-000000000000",
    "AWS::Lambda::Version": "arn:aws:lambda:us-east-1:111111111111:function:name:1",
    "AWS::StepFunctions::StateMachine": "arn:aws:states:us-east-1:111111111111:stateMachine:name",
    "AWS::IAM::Role": "arn:aws:iam::111111111111:role/name",
}

REASONED = {
    "RESOURCE_STAR": "the bucket's policy, or a resource that has no name before it is made, within a condition",
    "RESOURCE_POLICY_PRIVILEGE_ESCALATION": "CloudFormation sets the policies of the stack's own buckets",
}
"""Issues that say something about the whole of a policy, and why it is so."""

OTHER_KINDS = {
    **dict.fromkeys(
        ("dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"),
        "of streams, whose ARNs parliament cuts at the colons of their time",
    ),
    "states:DescribeExecution": "of Standard executions, not of Express ones",
    "states:ListExecutions": "of state machines or of map runs",
}
"""Actions whose resource parliament takes for another kind than the policy means, and why that is right."""


def of_stacks(templates: Mapping[str, Template]) -> Iterator[tuple[str, Any]]:
    """Return the policies of all roles; what trusts a role and what a bucket allows have a principal besides."""
    for environment, template in templates.items():
        resources = template.document["Resources"]

        def arn(logical_id: str, resources: Mapping[str, Any] = resources) -> str:
            return REFERRED[resources[logical_id]["Type"]]

        for name, resource in resources.items():
            if resource["Type"] in ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"):
                yield f"{environment} {name}", template.spelled(resource["Properties"]["PolicyDocument"], arn)


def of_people() -> Iterator[tuple[str, Any]]:
    for file in sorted((ROOT / "docs" / "policies").glob("*.json")):
        text = file.read_text()
        for placeholder, value in PLACE.items():
            text = text.replace(placeholder, value)
        yield file.stem, json.loads(text)


def findings(policies: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Return what parliament finds: the policy, the issue, and the detail."""
    assert PYTHON.exists(), "parliament is not installed: `make test-all` installs it and runs this test"
    program = [str(PYTHON), "-W", "ignore", "-c", PROGRAM]
    done = subprocess.run(program, input=json.dumps(policies), capture_output=True, text=True, check=True)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def unreasoned(found: list[tuple[str, str, Any]], policies: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    left = []
    for name, issue, detail in found:
        if issue in REASONED or (issue == "UNKNOWN_CONDITION_FOR_ACTION" and is_denial_of_code(policies[name])):
            continue
        if issue == "RESOURCE_MISMATCH":
            named = set(re.findall(r'"(\w+:\w+)"', json.dumps(policies[name])))
            # An action by a pattern means those of its actions that fit.
            mismatched = [one for one in detail if one["action"] in named - OTHER_KINDS.keys()]
            if mismatched:
                left.append((name, issue, mismatched))
        else:
            left.append((name, issue, detail))
    return left


def is_denial_of_code(policy: Any) -> bool:
    """Return whether it denies a function's own code what Lambda does with network interfaces, and nothing else.

    Lambda sets this condition key in every request that a function's code makes, whatever the service
    (https://docs.aws.amazon.com/lambda/latest/dg/permissions-source-function-arn.html). parliament 1.6.4 does not know
    it. In an Allow it would be a grant, and in a bucket's or a key's policy AWS does not take it.
    """
    (statement,) = policy["Statement"]
    denied = statement["Effect"], sorted(statement["Action"]), [*statement["Condition"]]
    return denied == ("Deny", sorted(NETWORK), ["ArnEquals"]) and [*statement["Condition"]["ArnEquals"]] == [
        "lambda:SourceFunctionArn"
    ]


def test_parliament_finds_nothing_that_is_not_reasoned_and_looks(templates: Mapping[str, Template]) -> None:
    policies = {
        f"{name} {number}": {**document, "Statement": [statement]}
        for name, document in (*of_stacks(templates), *of_people())
        for number, statement in enumerate(document["Statement"])
    }
    assert len(policies) > 100
    for action in ("dynamodb:Scam", "s3:GetObject"):
        statement = {"Effect": "Allow", "Action": action, "Resource": "arn:aws:s3:::results"}
        policies[action] = {"Version": "2012-10-17", "Statement": [statement]}
    found = findings(policies)
    left = [(name, issue) for name, issue, _ in unreasoned(found, policies)]
    assert left == [("dynamodb:Scam", "UNKNOWN_ACTION"), ("s3:GetObject", "RESOURCE_MISMATCH")]
    assert {issue for _, issue, _ in found} >= REASONED.keys()
    mismatched = {one["action"] for _, issue, detail in found if issue == "RESOURCE_MISMATCH" for one in detail}
    assert mismatched >= OTHER_KINDS.keys()
