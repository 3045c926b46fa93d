"""Who may do what to what: of every role of the environment in which everything is on, all that it may do.

Each function may write its own log, and nothing else to a log; what a network or traces take is in test_everywhere.py.
A table or an object has its name for its ARN, a key its first digit and the service through which alone it is used.
Whatever reads objects may list the bucket as well, which the rows leave out.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.engines.infra.conftest import ENVIRONMENTS
from tests.engines.infra.template import Template
from tests.house.docs.document import rows

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
PLAN = """
    pricing GetProducts: *
    s3 GetObject PutObject: {0}/plan.json
    s3 GetObject: {0}/manifest.json
    s3 PutObject: {0}/resumes/*
"""
BUDGET = """
    s3 PutObject PutObjectTagging: {0}/allotments/*
"""
TURN = f"""{BUDGET}
    s3 GetObject PutObject PutObjectTagging: {{0}}/checkpoints/*
    s3 GetObject PutObject: {{0}}/{{1}}/*
    s3 PutObject: {{0}}/errors/*
"""
FINISH = """
    s3 GetObject PutObject: {0}/manifest.json
    s3 GetObject: {0}/checkpoints/*, {0}/{1}/*, {0}/plan.json
    s3 PutObject: {0}/unfinished.json
"""
REPORT = """
    s3 GetObject: {0}/checkpoints/*, {0}/manifest.json, {0}/plan.json
    s3 PutObject: {0}/report.html
"""
COMPARE = """
    s3 GetObject PutObject: runs/diff.json, runs/diff/*
    s3 GetObject: runs/keys/*, runs/manifest.json
"""
MACHINE = """
    kms Decrypt GenerateDataKey: {2}
    lambda InvokeFunction: {1}
    states DescribeExecution StopExecution: execution:skipscan-{0}:*
    states RedriveExecution: execution:skipscan-{0}/Workers:*
    states StartExecution: stateMachine:skipscan-{0}
"""
FOLLOWS = """
    dynamodb DescribeStream GetRecords GetShardIterator: stream of {0}
    dynamodb ListStreams: *
    sqs GetQueueAttributes GetQueueUrl SendMessage: the queue
"""
ENCRYPTED = """
    kms Decrypt: c via dynamodb
"""
LATE_LOOKS = """
    kms Decrypt GenerateDataKey: f via sqs
    sqs SendMessage: the queue
"""
LISTS = "compare:*, finish:*, plan:*, report:*, scan:*"
MAY: dict[str, dict[str, str]] = {
    "company": {
        **{
            f"report{of}": REPORT.format(folder)
            for of, folder in {"": "runs", "-act": "acts", "-copy": "copies", "-retrofit": "retrofits"}.items()
        },
        "compare": COMPARE,
        "scan": f"""{TURN.format("runs", "keys")}{ENCRYPTED}
            s3 GetObject: runs/only/*
            dynamodb Query Scan: Audit, Customers, Orders, Read
            dynamodb Query Scan: Audit/index/*, Customers/index/*, Orders/index/*, Read/index/*
        """,
        "plan": f"""{PLAN.format("runs")}{BUDGET.format("runs")}{ENCRYPTED}
            dynamodb DescribeTable DescribeTimeToLive Query Scan: Audit, Customers, Orders, Read
            dynamodb Query Scan: Audit/index/*, Customers/index/*, Orders/index/*, Read/index/*
            kms Decrypt: e via states
            lambda GetAccountSettings: *
            s3 GetObject PutObject: runs/profile.json
            s3 GetObject: runs/keys/*, the bucket/only/*
            s3 PutObject PutObjectTagging: runs/only/*
            s3 PutObject: runs/profile.html
            states DescribeExecution: execution:skipscan-company:*
            states ListExecutions: stateMachine:skipscan-company
        """,
        "finish": f"""{FINISH.format("runs", "keys")}
            dynamodb DescribeTable: Audit, Customers, Orders, Read
            s3 PutObject: finished/*
        """,
        "act": f"""{TURN.format("acts", "failed")}{ENCRYPTED}
            dynamodb DeleteItem DescribeTable GetItem PutItem Query: Customers, Orders
            dynamodb Query: Customers/index/*, Orders/index/*
            kms Decrypt GenerateDataKey: d via sqs
            lambda InvokeFunction: function:receiver
            s3 GetObject: runs/keys/*, runs/manifest.json
            sqs GetQueueUrl SendMessage: keys
        """,
        "plan-act": f"""{PLAN.format("acts")}
            dynamodb DescribeContinuousBackups DescribeTable: Customers, Orders
            s3 GetObject: runs/keys/*, runs/manifest.json
        """,
        "finish-act": f"""{FINISH.format("acts", "failed")}
            dynamodb DescribeTable: Customers, Orders
        """,
        "retrofit": f"""{TURN.format("retrofits", "failed")}{ENCRYPTED}
            dynamodb DescribeTable GetItem Scan UpdateItem: Orders
        """,
        "plan-retrofit": f"""{PLAN.format("retrofits")}{BUDGET.format("retrofits")}{ENCRYPTED}
            dynamodb DescribeContinuousBackups DescribeTable Scan: Orders
        """,
        "finish-retrofit": f"""{FINISH.format("retrofits", "failed")}{BUDGET.format("retrofits")}{ENCRYPTED}
            dynamodb DescribeTable: Orders
            dynamodb Scan: Orders/index/*
        """,
        "copy-page": f"""{TURN.format("copies", "failed")}{ENCRYPTED}{LATE_LOOKS}
            dynamodb DescribeTable GetItem PutItem Scan: Audit-2
            dynamodb DescribeTable GetItem Scan: Audit
        """,
        "plan-copy": f"""{PLAN.format("copies")}{BUDGET.format("copies")}
            dynamodb CreateTable DescribeContinuousBackups DescribeTable UpdateContinuousBackups: Audit-2
            dynamodb ListTagsOfResource TagResource: Audit-2
            dynamodb DescribeTable Scan: Audit
            kms CreateGrant Decrypt DescribeKey Encrypt GenerateDataKey* ReEncrypt*: c via dynamodb
            kms DescribeKey: * if kms:RequestAlias StringEquals alias/aws/dynamodb
            lambda GetEventSourceMapping: event-source-mapping
        """,
        "finish-copy": f"""{FINISH.format("copies", "failed")}
            dynamodb DescribeTable: Audit, Audit-2
        """,
        "copy-Audit": f"""{FOLLOWS.format("Audit")}{ENCRYPTED}{LATE_LOOKS}
            dynamodb DeleteItem GetItem PutItem: Audit-2
            dynamodb DescribeTable GetItem: Audit
            sqs DeleteMessage ReceiveMessage: the queue
        """,
        "keep-Audit": f"""{FOLLOWS.format("Audit")}{ENCRYPTED}
            dynamodb DescribeTable GetItem UpdateItem: Audit
        """,
        "machine": MACHINE.format("company", LISTS, "e of stateMachine:skipscan-company"),
        **{
            f"machine-{kind}": MACHINE.format(
                f"company-{kind}",
                f"{turn}:*, finish-{kind}:*, plan-{kind}:*, report-{kind}:*",
                f"e of stateMachine:skipscan-company-{kind}",
            )
            for kind, turn in (("act", "act"), ("retrofit", "retrofit"), ("copy", "copy-page"))
        },
        "schedule": """
            kms Decrypt GenerateDataKey: e via states
            sqs SendMessage: the queue
            states StartExecution: skipscan-company
        """,
    },
    "full": {
        "compare": f"{COMPARE}\n kms Decrypt GenerateDataKey: a via s3",
        "report": f"{REPORT.format('runs')}\n kms Decrypt GenerateDataKey: a via s3",
        "scan": f"""{TURN.format("runs", "keys")}{ENCRYPTED}
            s3 GetObject: runs/only/*
            dynamodb Query Scan: Orders, Orders/index/*
            dynamodb Query Scan: another account's Customers, another account's Customers/index/*
            kms Decrypt GenerateDataKey: a via s3
        """,
        "machine": f"""{MACHINE.format("full", LISTS, "e via sns")}
            events PutEvents: event-bus/default
            sns Publish: runs
        """,
        "schedule": """
            sqs SendMessage: the queue
            states StartExecution: skipscan-full
        """,
    },
    "watched": {
        "keeper-Customers": f"""{FOLLOWS.format("Customers")}
            dynamodb DeleteItem DescribeTable GetItem PutItem Query: Customers
        """,
        "keep-Orders": f"""{FOLLOWS.format("Orders")}
            dynamodb DescribeTable GetItem UpdateItem: Orders
        """,
    },
}
"""`machine`: the one of listings; those of jobs are called after their kind. `schedule`: that every schedule has."""


def in_short(resource: str) -> str:
    for pattern, short in SHORT:
        resource = re.sub(pattern, short, resource)
    return resource


Allowed = set[tuple[str, str, str]]
"""Service, action, resource."""


def allowed(template: Template, role: Mapping[str, Any]) -> Allowed:
    return {
        (service, action, in_short(resource))
        for name, resource in template.permissions(role)
        for service, _, action in [name.partition(":")]
        if service not in {"logs", "ec2", "xray"} and action != "ListBucket"
    }


def in_lines(text: str) -> Allowed:
    """Return what lines allow: a service, its actions, and what they may be done to."""
    rows = [line.partition(": ") for line in text.splitlines() if line.strip()]
    return {
        (service, action, resource)
        for named, _, resources in rows
        for service, *actions in [named.split()]
        for action in actions
        for resource in resources.strip().split(", ")
    }


def roles(template: Template, environment: str) -> dict[str, Any]:
    """Return the roles of an environment by who has them."""
    name, every = f"skipscan-{environment}", template.every
    found = {each["FunctionName"].removeprefix(f"{name}-"): each["Role"] for each in every("AWS::Lambda::Function")}
    for each in every("AWS::StepFunctions::StateMachine"):
        found[f"machine{each['StateMachineName'].removeprefix(name)}"] = each["RoleArn"]
    for each in every("AWS::Scheduler::Schedule"):
        found["schedule"] = each["Target"]["RoleArn"]
    return found


CASES = [(environment, who) for environment, may in MAY.items() for who in may]


@pytest.mark.parametrize(("environment", "who"), CASES, ids=map(" ".join, CASES))
def test_a_role_may_do_this_and_nothing_else(templates: Mapping[str, Template], environment: str, who: str) -> None:
    template = templates[environment]
    assert allowed(template, roles(template, environment)[who]) == in_lines(MAY[environment][who])


def test_every_role_is_in_the_table_and_has_one_owner(templates: Mapping[str, Template]) -> None:
    owners = roles(templates["company"], "company")
    assert owners.keys() == MAY["company"].keys()
    logical_ids = [role["Fn::GetAtt"][0] for role in owners.values()]
    assert sorted(logical_ids) == sorted(
        name for name, each in templates["company"].document["Resources"].items() if each["Type"] == "AWS::IAM::Role"
    )


ON_THE_PAGE = {
    "Plan": ("company plan",),
    "Scan": ("company scan",),
    "Finish": ("company finish",),
    "Act, only with `act`": ("company act", "company plan-act", "company finish-act"),
    "Retrofit, only with `retrofit`": ("company retrofit", "company plan-retrofit", "company finish-retrofit"),
    "Copy, only with `copy`": ("company copy-page", "company plan-copy", "company finish-copy"),
    "replicator": ("company copy-Audit",),
    "keeper": ("watched keeper-Customers",),
    "attribute keeper": ("company keep-Audit",),
}
"""By the row of docs/permissions.md, the roles that it is about."""


@pytest.mark.parametrize("row", ON_THE_PAGE)
def test_the_page_names_what_a_role_may_do_to_tables(row: str) -> None:
    named = dict(rows(Path("docs/permissions.md"), "## What each role may do"))[row]
    cases = (MAY[environment][who] for environment, who in map(str.split, ON_THE_PAGE[row]))
    may = {action for each in cases for service, action, _ in in_lines(each) if service == "dynamodb"}
    assert set(re.findall(r"`([A-Z]\w+)`", named)) == {action for action in may if action not in FOLLOWS}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_function_may_write_its_own_log_alone(templates: Mapping[str, Template], environment: str) -> None:
    template = templates[environment]
    for function in template.every("AWS::Lambda::Function"):
        log = f"/aws/lambda/{function['FunctionName']}"
        allowed = {each for each in template.permissions(function["Role"]) if each[0].startswith("logs:")}
        assert allowed == {("logs:CreateLogStream", log), ("logs:PutLogEvents", log)}


def test_what_reads_objects_learns_that_one_is_missing(company: Template) -> None:
    """S3 answers 403 to others: a checkpoint that has expired would look like a right that is missing."""
    for function in company.every("AWS::Lambda::Function"):
        allowed = company.permissions(function["Role"])
        if any(action == "s3:GetObject" for action, _ in allowed):
            assert ("s3:ListBucket", "the bucket") in allowed, function["FunctionName"]
