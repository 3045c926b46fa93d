"""Who may do what to what: of every role of the environment in which everything is on, all that it may do.

Each function may write its own log, and nothing else to a log; what a network or traces take is in test_everywhere.py.
A table or an object has its name for its ARN, a key its first digit and the service through which alone it is used.
Whatever reads objects may list the bucket as well, which the rows leave out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest

from tests.engines.infra.conftest import ENVIRONMENTS
from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

SHORT = (
    (r"arn:aws:dynamodb:[\w-]+:3{12}:table/", "another account's "),
    (r"arn:aws:dynamodb:[\w-]+:\d+:table/", ""),
    (r"(\w+)/stream/.*", r"stream of \1"),
    (r"arn:aws:kms:[\w-]+:\d+:key/(\w|\*)[\w-]* if ", r"\1 if "),
    (r" if kms:ViaService StringEquals (\w+)\.[\w-]+\.amazonaws\.com", r" via \1"),
    (r" if kms:EncryptionContext:\S+ StringLike \['(\S+)', '\1/\*'\]", r" of \1"),
    (r"the bucket/skipscan/\*/(\w+)/\*/", r"\1/"),
    (r"the bucket/skipscan/\*/", ""),
    (r"arn:aws:\w+:[\w-]+:\d+:", ""),
    (r"event-source-mapping:\{.*\}", "event-source-mapping"),
    (r"^skipscan-\w+-(?=.*:\*$)", ""),
)
MAY = {
    "company": {
        **{
            f"report{of}": f"""
            s3 GetObject: {folder}/checkpoints/*, {folder}/manifest.json, {folder}/plan.json
            s3 PutObject: {folder}/report.html
        """
            for of, folder in {"": "runs", "-act": "acts", "-retrofit": "retrofits", "-copy": "copies"}.items()
        },
        **{
            f"finish-{kind}": f"""
            dynamodb DescribeTable: {tables}
            s3 GetObject PutObject: {folder}/manifest.json
            s3 GetObject: {folder}/checkpoints/*, {folder}/failed/*, {folder}/plan.json
            s3 PutObject: {folder}/unfinished.json
        """
            for kind, folder, tables in (("act", "acts", "Customers, Orders"), ("copy", "copies", "Audit, Audit-2"))
        },
        **{
            f"machine{of}": f"""
            kms Decrypt GenerateDataKey: e of stateMachine:skipscan-company{of}
            lambda InvokeFunction: {functions}
            states DescribeExecution StopExecution: execution:skipscan-company{of}:*
            states RedriveExecution: execution:skipscan-company{of}/Workers:*
            states StartExecution: stateMachine:skipscan-company{of}
        """
            for of, functions in (
                ("", "compare:*, finish:*, plan:*, report:*, scan:*"),
                ("-act", "act:*, finish-act:*, plan-act:*, report-act:*"),
                ("-retrofit", "finish-retrofit:*, plan-retrofit:*, report-retrofit:*, retrofit:*"),
                ("-copy", "copy-page:*, finish-copy:*, plan-copy:*, report-copy:*"),
            )
        },
        "compare": """
            s3 GetObject PutObject: runs/diff.json, runs/diff/*
            s3 GetObject: runs/keys/*, runs/manifest.json
        """,
        "scan": """
            dynamodb Query Scan: Audit, Audit/index/*, Customers, Customers/index/*, Orders, Orders/index/*, \
                Read, Read/index/*
            kms Decrypt: c via dynamodb
            s3 GetObject PutObject PutObjectTagging: runs/checkpoints/*
            s3 GetObject PutObject: runs/keys/*
            s3 PutObject PutObjectTagging: runs/allotments/*
            s3 PutObject: runs/errors/*
        """,
        "plan": """
            dynamodb DescribeTable DescribeTimeToLive Query Scan: Audit, Customers, Orders, Read
            dynamodb Query Scan: Audit/index/*, Customers/index/*, Orders/index/*, Read/index/*
            kms Decrypt: c via dynamodb, e via states
            lambda GetAccountSettings: *
            pricing GetProducts: *
            s3 GetObject PutObject: runs/plan.json, runs/profile.json
            s3 GetObject: runs/manifest.json
            s3 PutObject PutObjectTagging: runs/allotments/*
            s3 PutObject: runs/profile.html, runs/resumes/*
            states DescribeExecution: execution:skipscan-company:*
            states ListExecutions: stateMachine:skipscan-company
        """,
        "finish": """
            dynamodb DescribeTable: Audit, Customers, Orders, Read
            s3 GetObject PutObject: runs/manifest.json
            s3 GetObject: runs/checkpoints/*, runs/keys/*, runs/plan.json
            s3 PutObject: finished/*, runs/unfinished.json
        """,
        "act": """
            dynamodb DeleteItem DescribeTable GetItem PutItem Query: Customers, Orders
            kms Decrypt GenerateDataKey: d via sqs
            kms Decrypt: c via dynamodb
            lambda InvokeFunction: function:receiver
            s3 GetObject PutObject PutObjectTagging: acts/checkpoints/*
            s3 GetObject PutObject: acts/failed/*
            s3 GetObject: runs/keys/*, runs/manifest.json
            s3 PutObject PutObjectTagging: acts/allotments/*
            s3 PutObject: acts/errors/*
            sqs GetQueueUrl SendMessage: keys
        """,
        "plan-act": """
            dynamodb DescribeContinuousBackups DescribeTable: Customers, Orders
            pricing GetProducts: *
            s3 GetObject PutObject: acts/plan.json
            s3 GetObject: acts/manifest.json, runs/keys/*, runs/manifest.json
            s3 PutObject: acts/resumes/*
        """,
        "retrofit": """
            dynamodb DescribeTable GetItem Scan UpdateItem: Orders
            kms Decrypt: c via dynamodb
            s3 GetObject PutObject PutObjectTagging: retrofits/checkpoints/*
            s3 GetObject PutObject: retrofits/failed/*
            s3 PutObject PutObjectTagging: retrofits/allotments/*
            s3 PutObject: retrofits/errors/*
        """,
        "plan-retrofit": """
            dynamodb DescribeContinuousBackups DescribeTable Scan: Orders
            kms Decrypt: c via dynamodb
            pricing GetProducts: *
            s3 GetObject PutObject: retrofits/plan.json
            s3 GetObject: retrofits/manifest.json
            s3 PutObject PutObjectTagging: retrofits/allotments/*
            s3 PutObject: retrofits/resumes/*
        """,
        "finish-retrofit": """
            dynamodb DescribeTable: Orders
            dynamodb Scan: Orders/index/*
            kms Decrypt: c via dynamodb
            s3 GetObject PutObject: retrofits/manifest.json
            s3 GetObject: retrofits/checkpoints/*, retrofits/failed/*, retrofits/plan.json
            s3 PutObject PutObjectTagging: retrofits/allotments/*
            s3 PutObject: retrofits/unfinished.json
        """,
        "copy-Audit": """
            dynamodb DeleteItem GetItem PutItem: Audit-2
            dynamodb DescribeStream GetRecords GetShardIterator: stream of Audit
            dynamodb DescribeTable GetItem: Audit
            dynamodb ListStreams: *
            kms Decrypt GenerateDataKey: f via sqs
            kms Decrypt: c via dynamodb
            sqs DeleteMessage GetQueueAttributes GetQueueUrl ReceiveMessage SendMessage: the queue
        """,
        "copy-page": """
            dynamodb DescribeTable GetItem PutItem Scan: Audit-2
            dynamodb DescribeTable GetItem Scan: Audit
            kms Decrypt GenerateDataKey: f via sqs
            kms Decrypt: c via dynamodb
            s3 GetObject PutObject PutObjectTagging: copies/checkpoints/*
            s3 GetObject PutObject: copies/failed/*
            s3 PutObject PutObjectTagging: copies/allotments/*
            s3 PutObject: copies/errors/*
            sqs SendMessage: the queue
        """,
        "plan-copy": """
            dynamodb CreateTable DescribeContinuousBackups DescribeTable ListTagsOfResource TagResource \
                UpdateContinuousBackups: Audit-2
            dynamodb DescribeTable Scan: Audit
            kms CreateGrant Decrypt DescribeKey Encrypt GenerateDataKey* ReEncrypt*: c via dynamodb
            kms DescribeKey: * if kms:RequestAlias StringEquals alias/aws/dynamodb
            lambda GetEventSourceMapping: event-source-mapping
            pricing GetProducts: *
            s3 GetObject PutObject: copies/plan.json
            s3 GetObject: copies/manifest.json
            s3 PutObject PutObjectTagging: copies/allotments/*
            s3 PutObject: copies/resumes/*
        """,
        "keep-Audit": """
            dynamodb DescribeStream GetRecords GetShardIterator: stream of Audit
            dynamodb DescribeTable GetItem UpdateItem: Audit
            dynamodb ListStreams: *
            kms Decrypt: c via dynamodb
            sqs GetQueueAttributes GetQueueUrl SendMessage: the queue
        """,
        "schedule": """
            kms Decrypt GenerateDataKey: e via states
            sqs SendMessage: the queue
            states StartExecution: skipscan-company
        """,
    },
    "full": {
        "compare": """
            kms Decrypt GenerateDataKey: a via s3
            s3 GetObject PutObject: runs/diff.json, runs/diff/*
            s3 GetObject: runs/keys/*, runs/manifest.json
        """,
        "scan": """
            dynamodb Query Scan: Orders, Orders/index/*, another account's Customers, \
                another account's Customers/index/*
            kms Decrypt GenerateDataKey: a via s3
            kms Decrypt: c via dynamodb
            s3 GetObject PutObject PutObjectTagging: runs/checkpoints/*
            s3 GetObject PutObject: runs/keys/*
            s3 PutObject PutObjectTagging: runs/allotments/*
            s3 PutObject: runs/errors/*
        """,
        "machine": """
            events PutEvents: event-bus/default
            kms Decrypt GenerateDataKey: e via sns
            lambda InvokeFunction: compare:*, finish:*, plan:*, report:*, scan:*
            sns Publish: runs
            states DescribeExecution StopExecution: execution:skipscan-full:*
            states RedriveExecution: execution:skipscan-full/Workers:*
            states StartExecution: stateMachine:skipscan-full
        """,
        "schedule": """
            sqs SendMessage: the queue
            states StartExecution: skipscan-full
        """,
    },
    "watched": {
        "keep-Orders": """
            dynamodb DescribeStream GetRecords GetShardIterator: stream of Orders
            dynamodb DescribeTable GetItem UpdateItem: Orders
            dynamodb ListStreams: *
            sqs GetQueueAttributes GetQueueUrl SendMessage: the queue
        """,
        "keeper-Customers": """
            dynamodb DeleteItem DescribeTable GetItem PutItem Query: Customers
            dynamodb DescribeStream GetRecords GetShardIterator: stream of Customers
            dynamodb ListStreams: *
            sqs GetQueueAttributes GetQueueUrl SendMessage: the queue
        """,
    },
}
"""`machine`: the one of listings; those of jobs are called after their kind. `schedule`: that every schedule has."""


def in_short(resource: str) -> str:
    for pattern, short in SHORT:
        resource = re.sub(pattern, short, resource)
    return resource


def lines(template: Template, role: Mapping[str, Any]) -> list[str]:
    """Return what a role may do: the service, its actions, and what they may be done to."""
    actions = defaultdict[tuple[str, str], set[str]](set)
    for name, resource in template.permissions(role):
        service, action = name.split(":")
        if service not in {"logs", "ec2", "xray"} and name != "s3:ListBucket":
            actions[service, in_short(resource)].add(action)
    resources = defaultdict[str, list[str]](list)
    for (service, resource), named in actions.items():
        resources[f"{service} {' '.join(sorted(named))}"].append(resource)
    return sorted(f"{what}: {', '.join(sorted(found))}" for what, found in resources.items())


def roles(template: Template, environment: str) -> dict[str, Any]:
    """Return the roles of an environment by who has them."""
    name = f"skipscan-{environment}"
    machines = template.every("AWS::StepFunctions::StateMachine")
    schedules = template.every("AWS::Scheduler::Schedule")
    return {
        **{
            each["FunctionName"].removeprefix(f"{name}-"): each["Role"]
            for each in template.every("AWS::Lambda::Function")
        },
        **{f"machine{each['StateMachineName'].removeprefix(name)}": each["RoleArn"] for each in machines},
        **({"schedule": schedules[0]["Target"]["RoleArn"]} if schedules else {}),
    }


CASES = [(environment, who) for environment, may in MAY.items() for who in may]


@pytest.mark.parametrize(("environment", "who"), CASES, ids=map(" ".join, CASES))
def test_a_role_may_do_this_and_nothing_else(templates: Mapping[str, Template], environment: str, who: str) -> None:
    template = templates[environment]
    may = [" ".join(line.split()) for line in MAY[environment][who].strip().splitlines()]
    assert lines(template, roles(template, environment)[who]) == may


def test_every_role_is_in_the_table_and_has_one_owner(templates: Mapping[str, Template]) -> None:
    owners = roles(templates["company"], "company")
    assert owners.keys() == MAY["company"].keys()
    logical_ids = [role["Fn::GetAtt"][0] for role in owners.values()]
    assert sorted(logical_ids) == sorted(
        name for name, each in templates["company"].document["Resources"].items() if each["Type"] == "AWS::IAM::Role"
    )


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_function_may_write_its_own_log_alone(templates: Mapping[str, Template], environment: str) -> None:
    template = templates[environment]
    for function in template.every("AWS::Lambda::Function"):
        log = f"/aws/lambda/{function['FunctionName']}"
        allowed = {each for each in template.permissions(function["Role"]) if each[0].startswith("logs:")}
        assert allowed == {("logs:CreateLogStream", log), ("logs:PutLogEvents", log)}


@pytest.mark.parametrize("environment", ["plain", "full"])
def test_an_environment_that_writes_nowhere_has_no_role_that_might(
    templates: Mapping[str, Template], environment: str
) -> None:
    template = templates[environment]
    allowed = {action for role in roles(template, environment).values() for action, _ in template.permissions(role)}
    assert not allowed & {f"dynamodb:{verb}Item" for verb in ("Put", "Update", "Delete", "BatchWrite")}
    assert not allowed & {"dynamodb:CreateTable", "dynamodb:GetRecords", "lambda:GetEventSourceMapping"}
    assert environment != "plain" or not {action for action in allowed if action.startswith(("kms:", "sqs:", "sns:"))}


def test_what_reads_objects_learns_that_one_is_missing(company: Template) -> None:
    """S3 answers 403 to others: a checkpoint that has expired would look like a right that is missing."""
    for function in company.every("AWS::Lambda::Function"):
        allowed = company.permissions(function["Role"])
        if any(action == "s3:GetObject" for action, _ in allowed):
            assert ("s3:ListBucket", "the bucket") in allowed, function["FunctionName"]
