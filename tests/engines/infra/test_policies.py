"""Policies for people and CloudFormation allow what they need alone; so do those that owners of tables attach."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from skipscan.dynamodb.page import projection
from tests.engines.iam.call import Call
from tests.engines.infra.template import Template
from tests.fakes.iam.documents import documented
from tests.fakes.iam.policy import Grant, Need, grants_in, is_allowed, matches

pytestmark = pytest.mark.xdist_group("synth")


PLACE = {"account": "111111111111", "region": "us-east-1"}
STACK = "skipscan-plain"


def arn(service: str, resource: str) -> str:
    return f"arn:aws:{service}:{PLACE['region']}:{PLACE['account']}:{resource}"


MACHINE = arn("states", f"stateMachine:{STACK}")
ROLE = f"arn:aws:iam::{PLACE['account']}:role/{STACK}-Role"


@pytest.fixture(scope="module")
def deploy_policy() -> set[Grant]:
    return documented("deploy", **PLACE)


@pytest.fixture(scope="module")
def cloudformation_policy() -> set[Grant]:
    return documented("cloudformation", **PLACE)


def test_deployers_may_be_every_role_that_the_assembly_names_and_no_other(
    deploy_policy: set[Grant], assembly: Path
) -> None:
    stack = json.loads((assembly / "manifest.json").read_text())["artifacts"][STACK]
    named = set(roles_in(stack["properties"]))
    named |= set(roles_in(json.loads((assembly / f"{STACK}.assets.json").read_text())))
    assert len(named) == 3
    assert {(grant.action, grant.resource) for grant in deploy_policy} == {("sts:AssumeRole", role) for role in named}


def roles_in(document: Any) -> Iterator[str]:
    """Return the roles that the CDK command line takes on to deploy a stack."""
    if isinstance(document, dict):
        for name, value in document.items():
            if name in ("assumeRoleArn", "arn") and isinstance(value, str):
                yield value.replace("${AWS::Partition}", "aws")
            else:
                yield from roles_in(value)


QUEUE = arn("sqs", f"{STACK}-SchedulesDeadLetters-1")
NOTICES = arn("sns", f"{STACK}-finished")
MAKES = {
    "AWS::CloudWatch::Alarm": ("cloudwatch:PutMetricAlarm", arn("cloudwatch", f"alarm:{STACK}-failed")),
    # On every resource (CloudWatch API reference, PutCompositeAlarm): "You can't create a composite alarms if your
    # cloudwatch:PutCompositeAlarm permission has a narrower scope."
    "AWS::CloudWatch::CompositeAlarm": ("cloudwatch:PutCompositeAlarm", "*"),
    "AWS::CloudWatch::Dashboard": (
        "cloudwatch:PutDashboard",
        f"arn:aws:cloudwatch::{PLACE['account']}:dashboard/{STACK}-us-east-1",
    ),
    "AWS::SNS::Topic": ("sns:CreateTopic", NOTICES),
    "AWS::SNS::TopicPolicy": ("sns:SetTopicAttributes", NOTICES),
    "AWS::SNS::Subscription": ("sns:Subscribe", NOTICES),
    "AWS::SQS::Queue": ("sqs:CreateQueue", QUEUE),
    "AWS::SQS::QueuePolicy": ("sqs:SetQueueAttributes", QUEUE),
    "AWS::IAM::Role": ("iam:CreateRole", ROLE),
    "AWS::IAM::Policy": ("iam:PutRolePolicy", ROLE),
    "AWS::Logs::LogGroup": ("logs:CreateLogGroup", arn("logs", f"log-group:/aws/lambda/{STACK}-plan")),
    "AWS::Lambda::Function": ("lambda:CreateFunction", arn("lambda", f"function:{STACK}-plan")),
    "AWS::Lambda::Version": ("lambda:PublishVersion", arn("lambda", f"function:{STACK}-plan")),
    "AWS::Scheduler::Schedule": ("scheduler:CreateSchedule", arn("scheduler", f"schedule/default/{STACK}-nightly")),
    "AWS::S3::Bucket": ("s3:CreateBucket", f"arn:aws:s3:::{STACK}-results"),
    "AWS::S3::BucketPolicy": ("s3:PutBucketPolicy", f"arn:aws:s3:::{STACK}-results"),
    "AWS::StepFunctions::StateMachine": ("states:CreateStateMachine", MACHINE),
}


OF_KEEPERS_AND_COPIES = {"AWS::Lambda::EventSourceMapping"}
"""What cloudformation-keeper.json is about."""

OF_THE_PACKAGE = {kind for kind in MAKES if kind.startswith("AWS::SNS::")}
"""What only the packaged template has, if it is to send notices."""


def test_cloudformation_may_make_everything_in_every_stack(
    cloudformation_policy: set[Grant], templates: Mapping[str, Template]
) -> None:
    kinds = {each["Type"] for template in templates.values() for each in template.document["Resources"].values()}
    assert kinds - OF_KEEPERS_AND_COPIES == MAKES.keys() - OF_THE_PACKAGE
    assert [kind for kind, need in MAKES.items() if not is_allowed(Need(*need), cloudformation_policy)] == []


POLICY = f"arn:aws:iam::{PLACE['account']}:policy/{STACK}-FunctionsPlanRoleOverflowPolicy1"
RESULTS, MAPPING = f"arn:aws:s3:::{STACK}-results", arn("lambda", "event-source-mapping:1")
KEEPER = (("lambda:FunctionArn", arn("lambda", "function:skipscan-kept-keeper-Orders")),)
OWN: dict[str, list[Need]] = {
    "cloudformation": [
        *(Need(*need) for need in MAKES.values() if need[1] != "*"),
        *(Need(f"s3:{verb}", RESULTS) for verb in ("PutEncryptionConfiguration", "PutLifecycleConfiguration")),
        *(
            Need(f"s3:{verb}", RESULTS)
            for verb in ("DeleteBucket", "TagResource", "UntagResource", "ListTagsForResource")
        ),
        # The CDK turns what is too long for a role's inline policies into managed ones: from some 50 tables on.
        *(Need(f"iam:{verb}", POLICY) for verb in ("CreatePolicy", "DeletePolicy", "CreatePolicyVersion", "GetPolicy")),
        Need("iam:ListEntitiesForPolicy", POLICY),
        *(Need(f"iam:{verb}", ROLE) for verb in ("DetachRolePolicy", "PutRolePermissionsBoundary")),
        Need("iam:DeleteRolePermissionsBoundary", ROLE),
        Need("iam:AttachRolePolicy", ROLE, (("iam:PolicyARN", POLICY),)),
        Need("iam:PassRole", ROLE, (("iam:PassedToService", "states.amazonaws.com"),)),
    ],
    "cloudformation-keeper": [
        Need(f"lambda:{verb}EventSourceMapping", MAPPING, KEEPER) for verb in ("Create", "Update", "Delete")
    ],
}
"""What CloudFormation may do to resources of Skipscan, and to no others."""
OWN_NEEDS = [(document, need) for document, needs in OWN.items() for need in needs]


@pytest.mark.parametrize(("document", "need"), OWN_NEEDS, ids=[f"{name} {need.action}" for name, need in OWN_NEEDS])
def test_cloudformation_may_touch_nothing_that_is_not_skipscans(document: str, need: Need) -> None:
    allowed = documented(document, **PLACE)
    assert is_allowed(need, allowed)
    theirs = tuple((key, value.replace("skipscan-", "payments-")) for key, value in need.context)
    assert not is_allowed(Need(need.action, need.resource.replace("skipscan-", "payments-"), theirs), allowed)


PART = f"{RESULTS}/skipscan/Orders/runs/run-1/keys/worker-0000/part-00000.jsonl"


@pytest.mark.parametrize(
    "need",
    [
        *(Need(f"s3:{verb}Object", PART) for verb in ("Get", "Put", "Delete")),
        Need("iam:PassRole", ROLE, (("iam:PassedToService", "ec2.amazonaws.com"),)),
        Need("iam:AttachRolePolicy", ROLE, (("iam:PolicyARN", "arn:aws:iam::aws:policy/AdministratorAccess"),)),
    ],
    ids=str,
)
def test_cloudformation_may_neither_read_results_nor_hand_out_rights(
    cloudformation_policy: set[Grant], need: Need
) -> None:
    assert not is_allowed(need, cloudformation_policy)


def test_what_cloudformation_may_do_to_everything_has_a_reason(
    cloudformation_policy: set[Grant], full: Template
) -> None:
    """It describes an alarm after every step, and waits until Lambda has removed a function's network interfaces."""
    actions = {grant.action for grant in cloudformation_policy if grant.resource == "*"}
    assert {action for action in actions if "cloudwatch" in action} == {
        "cloudwatch:DescribeAlarms",
        "cloudwatch:PutCompositeAlarm",
    }
    assert is_allowed(Need("ec2:DescribeNetworkInterfaces", "*"), cloudformation_policy)
    for action in ("TagResource", "UntagResource", "ListTags"):  # an environment's tags are on mappings too
        assert is_allowed(Need(f"lambda:{action}", MAPPING), documented("cloudformation-keeper", **PLACE))
    trusted = {
        statement["Principal"]["Service"]
        for role in full.every("AWS::IAM::Role")
        for statement in role["AssumeRolePolicyDocument"]["Statement"]
    }
    [grant] = [grant for grant in cloudformation_policy if grant.action == "iam:PassRole"]
    assert grant.conditions == (("StringEquals", "iam:PassedToService", tuple(sorted(trusted))),)


RUN, WORKER = arn("states", f"execution:{STACK}:run-1"), arn("states", f"execution:{STACK}/Workers:0c4d")


def objects(folder: str) -> str:
    return f"arn:aws:s3:::results/skipscan/Orders/{folder}/x"


PEOPLE: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "run": (
        [
            *((f"states:{verb}", MACHINE) for verb in ("StartExecution", "ListExecutions")),
            *((f"states:{verb}Execution", RUN) for verb in ("Describe", "Redrive", "Stop")),
            *(("states:GetExecutionHistory", execution) for execution in (RUN, WORKER)),
            ("states:DescribeMapRun", arn("states", f"mapRun:{STACK}/Workers:0c4d")),
            ("s3:ListBucket", "arn:aws:s3:::results"),
            *(
                ("s3:GetObject", f"{objects('runs')}/{name}")
                for name in ("manifest.json", "report.html", "profile.html", "keys/w/p.jsonl")
            ),
        ],
        [
            ("states:StartExecution", MACHINE.replace("plain", "prod")),
            *(("s3:GetObject", f"{objects(folder)}/plan.json") for folder in ("acts", "retrofits", "copies")),
        ],
    ),
    "jobs": (
        [
            *(("states:StartExecution", f"{MACHINE}-{kind}") for kind in ("act", "retrofit", "copy")),
            *(
                ("states:StopExecution", arn("states", f"execution:{STACK}-{kind}:x"))
                for kind in ("act", "retrofit", "copy")
            ),
            ("states:DescribeMapRun", arn("states", f"mapRun:{STACK}-act/Workers:0c4d")),
            *(
                ("s3:GetObject", f"{objects(folder)}/{name}")
                for folder in ("acts", "retrofits", "copies")
                for name in ("manifest.json", "report.html", "failed/w/p.jsonl")
            ),
        ],
        [
            ("states:StartExecution", f"{MACHINE.replace('plain', 'prod')}-{kind}")
            for kind in ("act", "retrofit", "copy")
        ],
    ),
}
"""By document: what people who have it may do, and may not."""


@pytest.mark.parametrize("document", PEOPLE)
def test_people_may_start_work_of_one_environment_and_read_its_results_and_change_none(document: str) -> None:
    grants = documented(document, environment="plain", bucket="results", **PLACE)
    may, may_not = PEOPLE[document]
    assert [need for need in may if not is_allowed(Need(*need), grants)] == []
    assert [need for need in may_not if is_allowed(Need(*need), grants)] == []
    actions = {grant.action for grant in grants}
    assert not [action for action in actions if "*" in action or matches("*:*Delete*", action)]
    put = {grant.resource for grant in grants if matches("*:*Put*", grant.action)}
    assert put == ({"arn:aws:s3:::results/only/uploads/*"} if document == "run" else set())  # lists of keys
    assert {action.partition(":")[0] for action in actions} == {"states", "cloudformation", "s3"}


# Tables of another account: what the stack says its owner must attach.


CUSTOMERS = "arn:aws:dynamodb:eu-central-1:333333333333:table/Customers"


def test_the_owner_of_a_table_learns_what_to_allow_which_roles(full: Template) -> None:
    output = full.document["Outputs"]["TablePolicy333333333333Customers"]
    assert "account 333333333333" in output["Description"]
    roles = {
        full.the("AWS::Lambda::Function", FunctionName=f"skipscan-full-{name}")["Role"]["Fn::GetAtt"][0]: name
        for name in ("plan", "scan", "finish")
    }
    policy = json.loads(full.text(output["Value"], lambda role: roles[role]))
    assert [
        (statement["Effect"], statement["Action"], statement["Resource"], statement["Principal"]["AWS"])
        for statement in policy["Statement"]
    ] == [
        ("Allow", "dynamodb:DescribeTable", [CUSTOMERS], ["plan", "finish"]),
        ("Allow", "dynamodb:Scan", [CUSTOMERS, f"{CUSTOMERS}/index/*"], ["plan", "scan"]),
        ("Allow", "dynamodb:Query", [CUSTOMERS, f"{CUSTOMERS}/index/*"], ["plan", "scan"]),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["Scan", "Query"])
@pytest.mark.parametrize("more", [{}, {"IndexName": "by-date"}])
@pytest.mark.parametrize(
    ("parameters", "may"),
    [
        (projection(["customer", "placed"]), True),
        ({**projection(["customer"]), "Select": "SPECIFIC_ATTRIBUTES"}, True),
        ({"Select": "COUNT"}, True),
        ({}, False),
        ({"ExpressionAttributeNames": {"#k": "customer"}}, False),
        ({"Select": "ALL_ATTRIBUTES"}, False),
        (projection(["customer", "address"]), False),
    ],
)
def test_an_environment_that_takes_keys_alone_may_read_nothing_else(
    kept_stack: Template, operation: str, more: dict[str, str], parameters: dict[str, Any], *, may: bool
) -> None:
    for state in ("plan", "scan"):
        function = kept_stack.the("AWS::Lambda::Function", FunctionName=f"skipscan-kept-{state}")
        grants = [grant for each in kept_stack.policies(function["Role"]) for grant in grants_in(each)]
        asked = {"TableName": "Orders", **more, **parameters}
        [need] = Call("", "dynamodb", operation, asked, 200).needs(region="eu-central-1", account="222222222222")
        assert is_allowed(need, grants) is may
