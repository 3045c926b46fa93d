"""The policies in docs/policies allow what people and CloudFormation need for the stack, and nothing beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.engines.infra.template import Template
from tests.fakes.iam.documents import documented
from tests.fakes.iam.policy import Grant, Need, is_allowed, matches

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


@pytest.fixture(scope="module")
def run_policy() -> set[Grant]:
    return documented("run", environment="plain", bucket="results", **PLACE)


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


@pytest.mark.parametrize("kind", [kind for kind, (_, resource) in MAKES.items() if resource != "*"])
def test_cloudformation_may_touch_nothing_that_is_not_skipscans(cloudformation_policy: set[Grant], kind: str) -> None:
    action, resource = MAKES[kind]
    assert not is_allowed(Need(action, resource.replace("skipscan-", "payments-")), cloudformation_policy)


@pytest.mark.parametrize("action", ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"])
def test_cloudformation_has_no_permission_for_results(cloudformation_policy: set[Grant], action: str) -> None:
    part = f"arn:aws:s3:::{STACK}-results/skipscan/Orders/runs/run-1/keys/worker-0000/part-00000.jsonl"
    assert not is_allowed(Need(action, part), cloudformation_policy)


@pytest.mark.parametrize("action", ["PutEncryptionConfiguration", "PutLifecycleConfiguration", "DeleteBucket"])
def test_cloudformation_may_set_the_bucket_up_and_remove_it(cloudformation_policy: set[Grant], action: str) -> None:
    assert is_allowed(Need(f"s3:{action}", f"arn:aws:s3:::{STACK}-results"), cloudformation_policy)


def test_cloudformation_may_hand_roles_to_the_services_of_the_stack_alone(
    cloudformation_policy: set[Grant], full: Template
) -> None:
    trusted = {
        statement["Principal"]["Service"]
        for role in full.every("AWS::IAM::Role")
        for statement in role["AssumeRolePolicyDocument"]["Statement"]
    }
    [grant] = [grant for grant in cloudformation_policy if grant.action == "iam:PassRole"]
    assert grant.conditions == (("StringEquals", "iam:PassedToService", tuple(sorted(trusted))),)
    assert is_allowed(
        Need("iam:PassRole", ROLE, (("iam:PassedToService", "states.amazonaws.com"),)), cloudformation_policy
    )
    assert not is_allowed(
        Need("iam:PassRole", ROLE, (("iam:PassedToService", "ec2.amazonaws.com"),)), cloudformation_policy
    )


@pytest.mark.parametrize(
    ("action", "resource"),
    [
        ("states:StartExecution", MACHINE),
        ("states:ListExecutions", MACHINE),
        ("states:DescribeExecution", arn("states", f"execution:{STACK}:run-1")),
        ("states:GetExecutionHistory", arn("states", f"execution:{STACK}:run-1")),
        ("states:RedriveExecution", arn("states", f"execution:{STACK}:run-1")),
        ("states:StopExecution", arn("states", f"execution:{STACK}:run-1")),
        ("states:DescribeMapRun", arn("states", f"mapRun:{STACK}/Workers:0c4d")),
        ("states:GetExecutionHistory", arn("states", f"execution:{STACK}/Workers:0c4d")),
        ("s3:ListBucket", "arn:aws:s3:::results"),
        ("s3:GetObject", "arn:aws:s3:::results/skipscan/Orders/runs/run-1/manifest.json"),
        ("s3:GetObject", "arn:aws:s3:::results/skipscan/Orders/runs/run-1/report.html"),
        ("s3:GetObject", "arn:aws:s3:::results/skipscan/Orders/runs/run-1/keys/worker-0000/part-00000.jsonl"),
    ],
)
def test_people_may_start_runs_and_read_results(run_policy: set[Grant], action: str, resource: str) -> None:
    assert is_allowed(Need(action, resource), run_policy)


@pytest.mark.parametrize("does", ["act", "retrofit", "copy"])
def test_people_who_start_jobs_may_start_those_of_one_environment_and_nothing_else(does: str) -> None:
    jobs = documented("jobs", environment="plain", bucket="results", **PLACE)
    assert is_allowed(Need("states:StartExecution", f"{MACHINE}-{does}"), jobs)
    assert is_allowed(Need("states:StopExecution", arn("states", f"execution:{STACK}-{does}:job-1")), jobs)
    assert is_allowed(Need("states:DescribeMapRun", arn("states", f"mapRun:{STACK}-{does}/Workers:0c4d")), jobs)
    assert not is_allowed(Need("states:StartExecution", f"{MACHINE.replace('plain', 'prod')}-{does}"), jobs)
    assert {grant.action.partition(":")[0] for grant in jobs} == {"states", "cloudformation", "s3"}


@pytest.mark.parametrize("folder", ["acts", "retrofits", "copies"])
def test_people_who_start_jobs_may_read_their_results_and_change_none(folder: str) -> None:
    jobs = documented("jobs", environment="plain", bucket="results", **PLACE)
    results = f"arn:aws:s3:::results/skipscan/Orders/{folder}/job-1"
    assert is_allowed(Need("s3:GetObject", f"{results}/manifest.json"), jobs)
    assert is_allowed(Need("s3:GetObject", f"{results}/report.html"), jobs)
    assert is_allowed(Need("s3:GetObject", f"{results}/failed/worker-0000/part-00000.jsonl"), jobs)
    assert {grant.action for grant in jobs if grant.action.startswith("s3:")} == {"s3:GetObject"}


def test_people_who_start_runs_may_read_no_results_of_jobs(run_policy: set[Grant]) -> None:
    for folder in ("acts", "retrofits", "copies"):
        assert not is_allowed(
            Need("s3:GetObject", f"arn:aws:s3:::results/skipscan/Orders/{folder}/x/plan.json"), run_policy
        )


def test_people_may_change_neither_results_nor_the_machine_nor_start_another(run_policy: set[Grant]) -> None:
    actions = {grant.action for grant in run_policy}
    assert not [action for action in actions if matches("*:*Put*", action) or matches("*:*Delete*", action)]
    assert not [action for action in actions if "*" in action]
    assert not is_allowed(Need("states:StartExecution", MACHINE.replace("plain", "prod")), run_policy)


@pytest.mark.parametrize(
    ("action", "resource", "context"),
    [
        *(
            (
                f"lambda:{verb}EventSourceMapping",
                arn("lambda", "event-source-mapping:1"),
                (("lambda:FunctionArn", arn("lambda", "function:skipscan-kept-keeper-Orders")),),
            )
            for verb in ("Create", "Update", "Delete")
        ),
    ],
)
def test_cloudformation_may_make_what_a_keeper_has_besides_and_nothing_that_is_not_skipscans(
    action: str, resource: str, context: tuple[tuple[str, str], ...]
) -> None:
    allowed = documented("cloudformation-keeper", **PLACE)
    assert is_allowed(Need(action, resource, context), allowed)
    others = tuple((key, value.replace("skipscan-", "payments-")) for key, value in context)
    assert not is_allowed(Need(action, resource.replace("skipscan-", "payments-"), others), allowed)


POLICY = f"arn:aws:iam::{PLACE['account']}:policy/{STACK}-FunctionsPlanRoleOverflowPolicy1"


@pytest.mark.parametrize(
    ("action", "resource"),
    [
        *((f"iam:{verb}", POLICY) for verb in ("CreatePolicy", "DeletePolicy", "CreatePolicyVersion", "GetPolicy")),
        ("iam:ListEntitiesForPolicy", POLICY),
        ("iam:DetachRolePolicy", ROLE),
        *((f"iam:{verb}RolePermissionsBoundary", ROLE) for verb in ("Put", "Delete")),
    ],
)
def test_cloudformation_may_make_the_policies_of_many_tables_and_set_boundaries(
    cloudformation_policy: set[Grant], action: str, resource: str
) -> None:
    """CDK turns what is too long for a role's inline policies into managed ones: from some 50 tables on."""
    assert is_allowed(Need(action, resource), cloudformation_policy)
    assert not is_allowed(Need(action, resource.replace("skipscan-", "payments-")), cloudformation_policy)


def test_cloudformation_may_attach_the_stack_s_own_policies_and_no_other(cloudformation_policy: set[Grant]) -> None:
    def attaches(policy: str) -> bool:
        return is_allowed(Need("iam:AttachRolePolicy", ROLE, (("iam:PolicyARN", policy),)), cloudformation_policy)

    assert attaches(POLICY)
    assert not attaches("arn:aws:iam::aws:policy/AdministratorAccess")


@pytest.mark.parametrize("action", ["TagResource", "UntagResource", "ListTags"])
def test_cloudformation_may_tag_buckets_and_event_source_mappings(
    cloudformation_policy: set[Grant], action: str
) -> None:
    """An environment's `tags` are on both. The actions are those of CloudFormation's resource types."""
    keeper = documented("cloudformation-keeper", **PLACE)
    assert is_allowed(Need(f"lambda:{action}", arn("lambda", "event-source-mapping:1")), keeper)
    of_buckets = action.replace("ListTags", "ListTagsForResource")
    assert is_allowed(Need(f"s3:{of_buckets}", f"arn:aws:s3:::{STACK}-results"), cloudformation_policy)
    assert not is_allowed(Need(f"s3:{of_buckets}", "arn:aws:s3:::payments-results"), cloudformation_policy)


def test_cloudformation_may_look_for_the_interfaces_of_a_function_that_it_removes(
    cloudformation_policy: set[Grant],
) -> None:
    """It waits until Lambda has removed them (the permissions of AWS::Lambda::Function, delete)."""
    assert is_allowed(Need("ec2:DescribeNetworkInterfaces", "*"), cloudformation_policy)


def test_composite_alarms_are_found_and_changed_and_nothing_else_is_allowed_on_every_alarm(
    cloudformation_policy: set[Grant],
) -> None:
    """CloudFormation describes an alarm after every step. DeleteAlarms takes the alarm's ARN."""
    everywhere = {
        grant.action for grant in cloudformation_policy if grant.resource == "*" and "cloudwatch" in grant.action
    }
    assert everywhere == {"cloudwatch:DescribeAlarms", "cloudwatch:PutCompositeAlarm"}
