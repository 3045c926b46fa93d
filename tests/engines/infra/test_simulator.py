"""An IAM simulator decides requests of the deployed roles as we intend, with the policies of bucket, queues and keys.

tests/engines/iam compares what policies allow with what was called, by as much of IAM's evaluation as our policies
need. This is somebody else's evaluation of the same policies, and it refuses an action, a resource or a condition key
that IAM does not know.
"""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from local.checkout import NODE, NODE_MODULES
from tests.engines.infra.template import Template
from tests.fakes.iam.policy import listed

pytestmark = [pytest.mark.xdist_group("synth"), pytest.mark.long]

ACCOUNT, REGION = "111111111111", "us-east-1"
TABLE_KEY = "arn:aws:kms:us-east-1:222222222222:key/c0000000-0000-4000-8000-000000000000"
PROGRAM = """
const simulator = require("@cloud-copilot/iam-simulate");
const simulations = JSON.parse(require("fs").readFileSync(0, "utf8"));
Promise.all(simulations.map(simulation => simulator.runSimulation(simulation, {}))).then(answers =>
  console.log(JSON.stringify(answers.map(answer => answer.overallResult ?? answer.errors)))
);
"""
FROM_LAMBDA = {"aws:SecureTransport": "true", "s3:TlsVersion": "1.3"}
NEW = {"s3:if-none-match": "*"}
PLAIN = {"aws:SecureTransport": "false"}
VIA = {"kms:ViaService": f"dynamodb.{REGION}.amazonaws.com"}


@dataclass(frozen=True)
class Asked:
    """`role`: of a function by its name without the environment's, or of the machine of listings, which has none.

    `context`: of the request.
    """

    role: str
    action: str
    resource: str
    context: Mapping[str, str]


def of(role: str, *lines: str, context: Mapping[str, str] | None = None) -> list[Asked]:
    return [Asked(role, action, resource, context or {}) for action, resource in map(str.split, lines)]


RUNS, COPIES, ACTS = (f"results/skipscan/Audit/{each}/x" for each in ("runs", "copies", "acts"))
CHILD, MACHINE = "execution:skipscan-company/Workers:1", "stateMachine:skipscan-company"
STREAM = "table/Audit/stream/2026-01-31T03:00:00.000"
ALLOWED = [
    *of("plan", "dynamodb:Scan table/Audit/index/by-date", "pricing:GetProducts *", "s3:ListBucket results"),
    *of("plan", f"states:ListExecutions {MACHINE}", "states:DescribeExecution execution:skipscan-company:x"),
    *of("plan", f"s3:PutObject {RUNS}/plan.json", f"s3:PutObject {RUNS}/profile.json", context=NEW),
    *of("scan", f"kms:Decrypt {TABLE_KEY}", context=VIA),
    *of("scan", f"s3:PutObject {RUNS}/keys/worker-0000/part-00000.jsonl", context=NEW),
    *of("scan", f"s3:PutObjectTagging {RUNS}/checkpoints/worker-0000/batch-00000"),
    *of("finish", f"s3:PutObject {RUNS}/manifest.json", context=NEW),
    *of("plan-copy", "dynamodb:CreateTable table/Audit-2", "dynamodb:UpdateContinuousBackups table/Audit-2"),
    *of("plan-copy", f"kms:CreateGrant {TABLE_KEY}", context=VIA),
    *of("plan-copy", "kms:DescribeKey key/1", context={"kms:RequestAlias": "alias/aws/dynamodb"}),
    *of("copy-Audit", "dynamodb:DeleteItem table/Audit-2", f"dynamodb:GetRecords {STREAM}"),
    *of("copy-Audit", "sqs:ReceiveMessage JobsReplicatorAuditLatelooks"),
    *of("", "lambda:InvokeFunction function:skipscan-company-scan:7", f"states:StartExecution {MACHINE}"),
    *of("", f"states:RedriveExecution {CHILD}", "states:StopExecution execution:skipscan-company:x"),
    *of("act", "dynamodb:PutItem table/Orders", f"sqs:SendMessage arn:aws:sqs:{REGION}:{ACCOUNT}:keys"),
    *of("retrofit", "dynamodb:UpdateItem table/Orders"),
]
DENIED = [
    *of("plan", "dynamodb:Scan table/Other", "dynamodb:PutItem table/Audit"),
    *of("plan", f"s3:PutObject {RUNS}/plan.json", f"s3:DeleteObject {RUNS}/plan.json"),
    *of("plan", f"s3:PutObject {COPIES}/plan.json", context=NEW),
    *of("scan", f"kms:Decrypt {TABLE_KEY}"),
    *of("scan", f"kms:Decrypt {TABLE_KEY}", context={"kms:ViaService": f"s3.{REGION}.amazonaws.com"}),
    *of("scan", f"s3:PutObject {RUNS}/keys/worker-0000/part-00000.jsonl"),
    *of("scan", "s3:ListBucket results", context=PLAIN),
    *of("scan", f"s3:GetObject {RUNS}/keys/x", context={"s3:TlsVersion": "1.1"}),
    *of("report", f"s3:GetObject {RUNS}/keys/x"),
    *of("plan-copy", "dynamodb:CreateTable table/Audit-X", "dynamodb:DeleteTable table/Audit-2"),
    *of("plan-copy", "kms:DescribeKey key/1", context={"kms:RequestAlias": "alias/mine"}),
    *of("plan-copy", f"kms:CreateGrant {TABLE_KEY}"),
    *of("copy-page", "dynamodb:PutItem table/Audit", "sqs:ReceiveMessage JobsReplicatorAuditLatelooks"),
    *of("copy-Audit", "sqs:ReceiveMessage JobsReplicatorAuditFailures"),
    *of("copy-Audit", "sqs:SendMessage JobsReplicatorAuditLatelooks", context=PLAIN),
    *of("", "lambda:InvokeFunction function:skipscan-company-scan"),  # $LATEST
    *of("", "lambda:InvokeFunction function:other:1", "states:RedriveExecution execution:skipscan-company:x"),
    *of("act", f"sqs:SendMessage arn:aws:sqs:{REGION}:{ACCOUNT}:others"),
    *of("retrofit", f"s3:PutObject {ACTS}/failed/x", context=NEW),
]
"""A request for each kind of statement and condition; test_permissions.py has all that a role may do."""


def arn(service: str, resource: str) -> str:
    if resource.startswith(("*", "arn:")):
        return resource
    return f"arn:aws:s3:::{resource}" if service == "s3" else f"arn:aws:{service}:{REGION}:{ACCOUNT}:{resource}"


class Roles:
    """The policies of the environment that has most, with ARNs in the place of references."""

    def __init__(self, template: Template) -> None:
        self._template, self._resources = template, template.document["Resources"]

    def policies(self, role: str) -> list[dict[str, Any]]:
        name = f"skipscan-company-{role}" if role else "skipscan-company"
        kind, field, of = (
            ("AWS::Lambda::Function", "FunctionName", "Role")
            if role
            else ("AWS::StepFunctions::StateMachine", "StateMachineName", "RoleArn")
        )
        return self._template.policies(self._template.the(kind, **{field: name})[of], self._arn)

    def of_resource(self, resource: str) -> dict[str, Any] | None:
        """Return the policy of the bucket, of a queue, or of a key, which leaves all to IAM as a new key's does."""
        if ":s3:" in resource:
            kind, field = "AWS::S3::BucketPolicy", "Bucket"
        elif ":sqs:" in resource:
            kind, field = "AWS::SQS::QueuePolicy", "Queues"
        elif ":kms:" in resource:
            root = {"AWS": f"arn:aws:iam::{resource.split(':')[4]}:root"}
            own = {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}
            allowed = [{"Effect": "Allow", "Principal": who, "Action": "kms:*", "Resource": "*"} for who in (root, own)]
            return {"Version": "2012-10-17", "Statement": allowed}
        else:
            return None
        for each in self._resources.values():
            if each["Type"] == kind and resource.startswith(self.spelled(listed(each["Properties"][field])[0])):
                document: dict[str, Any] = self.spelled(each["Properties"]["PolicyDocument"])
                return document
        return None

    def spelled(self, value: Any) -> Any:
        return self._template.spelled(value, self._arn)

    def _arn(self, name: str) -> str:
        kind, properties = self._resources[name]["Type"], self._resources[name]["Properties"]
        match kind:
            case "AWS::S3::Bucket":
                return arn("s3", "results")
            case "AWS::Lambda::Function":
                return arn("lambda", f"function:{properties['FunctionName']}")
            case "AWS::SQS::Queue":
                return arn("sqs", name[:-8])  # without the hash of its place in the stack
            case "AWS::StepFunctions::StateMachine":
                return arn("states", f"stateMachine:{properties['StateMachineName']}")
        return arn("logs", f"log-group:{name}:*")


def simulations(company: Template, requests: list[Asked]) -> list[dict[str, Any]]:
    made, roles = [], Roles(company)
    for request in requests:
        resource = arn(request.action.partition(":")[0], request.resource)
        uses_tls = {k: v for k, v in FROM_LAMBDA.items() if k.startswith("aws:") or ":s3:" in resource}
        document = {
            "identityPolicies": [
                {"name": str(number), "policy": {"Version": "2012-10-17", **policy}}
                for number, policy in enumerate(roles.policies(request.role))
            ],
            "serviceControlPolicies": [],
            "resourceControlPolicies": [],
            "request": {
                "action": request.action,
                "principal": f"arn:aws:iam::{ACCOUNT}:role/{request.role or 'machine'}",
                "resource": {"accountId": ACCOUNT, "resource": resource},
                "contextVariables": {**uses_tls, **request.context},
            },
        }
        own = roles.of_resource(resource)
        made.append(document | ({"resourcePolicy": own} if own else {}))
    return made


def simulated(asked: list[dict[str, Any]]) -> list[Any]:
    command = [str(NODE), "-e", PROGRAM]
    done = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=True, cwd=NODE_MODULES.parent
    )
    answers: list[Any] = json.loads(done.stdout)
    return answers


def test_the_simulator_decides_every_request_as_intended_and_looks(company: Template) -> None:
    requests = [*ALLOWED, *DENIED]
    asked = simulations(company, [*requests, ALLOWED[0]])
    asked[-1]["request"]["action"] = "dynamodb:DescribeTabel"  # an error of the request
    *answers, misspelled = simulated(asked)
    assert "message" in misspelled
    wrong = [
        (request, answer)
        for request, answer in zip(requests, answers, strict=True)
        if answer not in (("Allowed",) if request in ALLOWED else ("ImplicitlyDenied", "ExplicitlyDenied"))
    ]
    assert wrong == []
    assert len({request.role for request in requests}) >= 10
