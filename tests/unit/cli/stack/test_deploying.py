"""`skipscan deploy` asks before it makes anything, and takes every answer of CloudFormation for what it is."""

from typing import Any

import click
import pytest
from botocore.exceptions import ClientError

from skipscan.cli.stack.change_set import ChangeSet
from skipscan.cli.stack.place import BY, MARK
from skipscan.errors import InputError, NotFoundError, SkipscanError
from tests.refusal import failed, refused
from tests.unit.cli.stack.conftest import Account
from tests.unit.cli.stack.fakes import refusal

BUCKET = "skipscan-code-111111111111-eu-west-1-an"


def test_a_first_deployment_makes_bucket_and_stack_and_follows_the_events(account: Account) -> None:
    found = account.deploy("Orders")

    assert found.status == "CREATE_COMPLETE"
    assert (found.tags, found.parameters["Table"]) == ({MARK: BY}, "Orders")
    assert set(account.s3.buckets[BUCKET]["objects"].values()) == {b"the code", account.packaged.template}
    assert len(account.cloudformation.asked("DescribeChangeSet")) == 4, "once too early, then each page once"
    [asked] = account.cloudformation.asked("CreateChangeSet")
    assert asked["TemplateURL"] == f"https://s3.eu-west-1.amazonaws.com/{BUCKET}/{account.packaged.template_name}"
    assert asked["Capabilities"] == ["CAPABILITY_IAM"]
    assert account.parameters() | {"Table2": "", "CodeBucket": BUCKET, "CodeKey": "skipscan-0123.zip"} == (
        account.parameters()
    )
    said = "\n".join(account.person.said)
    assert "Stack skipscan-dev in account 111111111111, eu-west-1: new -> Skipscan 9.9.9" in said
    assert "--permissions` prints the policy" in said
    assert "  Add       2  Lambda Function\n" in said
    assert "  Add       1  IAM Role\n" in said
    assert "While nothing runs it costs nothing, " in said
    assert "R0" not in said
    assert "Capability CAPABILITY_IAM: IAM roles for its functions and state machine (Add 1)" in said
    assert "AWS::S3::Bucket" not in said
    assert "1 of 3 resources  CREATE_COMPLETE  S3 Bucket Results" in account.person.live
    assert account.person.live[-1] == ""
    assert said.splitlines()[-1].split()[3:5] == ["CREATE_COMPLETE", "AWS::CloudFormation::Stack"]
    assert [question.split()[-1] for question in account.person.questions] == ["TLS?", "skipscan-dev?"]


def test_each_change_and_each_event_has_a_line_with_verbose(account: Account) -> None:
    account.is_verbose = True
    account.deploy("Orders")
    said = "\n".join(account.person.said)
    assert ("R0" in said, "AWS::S3::Bucket" in said, "--verbose" in said) == (True, True, False)


def change(action: str, kind: str, name: str, **more: str) -> dict[str, str]:
    """Return a change as CloudFormation describes it."""
    return {"Action": action, "ResourceType": kind, "LogicalResourceId": name, **more}


def test_what_is_replaced_has_a_line_of_its_own_and_what_costs_is_priced() -> None:
    added = [change("Add", "AWS::CloudWatch::Alarm", f"Alarm{n}") for n in range(6)]
    more = [change("Add", f"AWS::{kind}", "One") for kind in ("CloudWatch::Dashboard", "KMS::Key")]
    replaced = change("Modify", "AWS::S3::Bucket", "Results", Replacement="True")
    nothing: Any = None
    made = ChangeSet(nothing, nothing, is_new=True, made_stack=True, changes=(*added, replaced))
    assert made.by_kind() == [
        "Add       6  CloudWatch Alarm",
        "Modify    1  S3 Bucket",
        "Modify  AWS::S3::Bucket                   Results  (replaced)",
    ]
    assert "about $0.60 a month (6 CloudWatch Alarm)" in made.idle()
    made = ChangeSet(nothing, nothing, is_new=True, made_stack=True, changes=(*added, *more, replaced))
    assert "about $4.60 a month (6 CloudWatch Alarm, 1 CloudWatch Dashboard, 1 KMS Key)" in made.idle()


def test_refuses_a_table_that_does_not_exist_before_anything_is_created(account: Account) -> None:
    account.dynamodb.absent = frozenset({"Ordres"})
    with refused(InputError, "--table", "Ordres", rule="111111111111 .* eu-west-1$", way="--region or --profile"):
        account.deploy("Orders", "Ordres")
    assert (account.s3.buckets, account.cloudformation.stack, account.person.questions) == ({}, None, [])


@pytest.mark.parametrize("pressed", [KeyboardInterrupt, click.Abort])
def test_ctrl_c_or_ctrl_d_in_place_of_an_answer_leaves_nothing_behind(
    account: Account, pressed: type[BaseException]
) -> None:
    def press(question: str) -> None:
        if "Apply" in question:
            raise pressed

    account.person.before = press
    with pytest.raises(pressed):
        account.deploy("Orders")
    assert not account.cloudformation.is_executed
    assert account.cloudformation.stack is None
    assert len(account.cloudformation.asked("DeleteChangeSet")) == 1


WAYS = [
    (True, "skipscan destroy --env dev"),
    (False, "aws cloudformation delete-change-set --stack-name skipscan-dev --change-set-name skipscan-"),
]


@pytest.mark.parametrize(("is_new", "way"), WAYS)
@pytest.mark.parametrize("operation", ["create_change_set", "describe_change_set", "delete_change_set"])
def test_ctrl_c_while_a_change_set_cannot_be_removed_names_it(
    account: Account, operation: str, is_new: bool, way: str
) -> None:
    if not is_new:
        account.has("CREATE_COMPLETE")
    account.person.noes = ("Apply",)
    request = getattr(account.cloudformation, operation)

    def pressed(**asked: object) -> None:
        request(**asked)
        raise KeyboardInterrupt

    setattr(account.cloudformation, operation, pressed)
    with pytest.raises(KeyboardInterrupt):
        account.deploy("Orders")
    [asked] = account.cloudformation.asked("CreateChangeSet")
    assert asked["ChangeSetName"] in account.person.said[-1]
    assert way in account.person.said[-1]


@pytest.mark.parametrize("reason", ["", "Parameter Table does not exist"])
def test_a_refused_removal_names_the_change_set_and_hides_no_reason(account: Account, reason: str) -> None:
    account.cloudformation.no_changes = reason
    account.cloudformation.refused["DeleteChangeSet"] = [refusal("Throttling", "DeleteChangeSet")]
    account.person.noes = ("Apply",)
    with pytest.raises(SkipscanError, match=reason or "nothing was deployed"):
        account.deploy("Orders")
    assert account.person.said[-1].endswith("skipscan destroy --env dev")


@pytest.mark.parametrize("operation", ["DescribeChangeSet", "ExecuteChangeSet"])
def test_a_change_set_that_is_not_described_or_not_started_is_removed(account: Account, operation: str) -> None:
    account.cloudformation.looks_until_computed = 0
    account.cloudformation.refused[operation] = [refusal("AccessDenied", operation)]
    with pytest.raises(ClientError, match="AccessDenied"):
        account.deploy("Orders")
    assert len(account.cloudformation.removed) == 1
    assert account.cloudformation.stack is None


def test_an_upgrade_keeps_what_is_not_named_and_leaves_out_what_the_template_no_longer_has(account: Account) -> None:
    account.has("UPDATE_COMPLETE", tags={MARK: BY, "team": "shop"})
    account.deploy(schedule="rate(1 day)", tags={"cost": "7"})
    said = account.parameters()
    assert (said["Table"], said["RolePath"], said["Schedule"]) == (True, True, "rate(1 day)")
    assert "OfAnEarlierVersion" not in said
    [asked] = account.cloudformation.asked("CreateChangeSet")
    assert {tag["Key"]: tag["Value"] for tag in asked["Tags"]} == {MARK: BY, "team": "shop", "cost": "7"}


@pytest.mark.parametrize(
    "reason",
    [
        "The submitted information didn't contain changes. Submit different information to create a change set.",
        "No updates are to be performed.",
    ],
)
def test_a_stack_that_is_up_to_date_is_left_as_it_is(account: Account, reason: str) -> None:
    account.has("CREATE_COMPLETE")
    account.cloudformation.no_changes = reason
    assert account.deploy().status == "CREATE_COMPLETE"
    assert "up to date" in account.person.said[-1]
    assert len(account.cloudformation.asked("DeleteChangeSet")) == 1
    assert not account.cloudformation.is_executed


@pytest.mark.parametrize("tags", [{}, {MARK: "somebody"}, {"aws-cdk:stack": "x"}])
def test_a_stack_that_was_made_another_way_is_not_touched(account: Account, tags: dict[str, str]) -> None:
    account.has("CREATE_COMPLETE", tags=tags)
    with refused(InputError, "stack skipscan-dev", way="make deploy ENV=dev"):
        account.deploy("Orders")
    with refused(InputError, "stack skipscan-dev", way="make deploy ENV=dev"):
        account.destroy()
    assert {name for name, _ in account.cloudformation.calls} == {"DescribeStacks"}
    assert account.s3.calls == []


@pytest.mark.parametrize(
    ("status", "way"),
    [
        ("UPDATE_IN_PROGRESS", "wait"),
        ("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "wait"),
        ("DELETE_IN_PROGRESS", "wait"),
        ("UPDATE_ROLLBACK_FAILED", "aws cloudformation continue-update-rollback --stack-name skipscan-dev"),
        ("DELETE_FAILED", "skipscan destroy --env dev"),
    ],
)
def test_a_stack_in_no_state_to_be_changed_is_not(account: Account, status: str, way: str) -> None:
    account.has(status)
    with refused(InputError, "stack skipscan-dev", rule=status, way=way):
        account.deploy("Orders")
    assert account.cloudformation.asked("CreateChangeSet") == []


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"])
def test_a_stack_whose_creation_failed_is_removed_first_if_that_is_wanted(account: Account, status: str) -> None:
    account.has(status)
    assert account.deploy("Orders").status == "CREATE_COMPLETE"
    assert account.person.questions[0].startswith(f"skipscan-dev is {status}")
    assert len(account.cloudformation.asked("DeleteStack")) == 1


@pytest.mark.parametrize(
    ("status", "tags", "no"), [("ROLLBACK_COMPLETE", None, "Remove"), ("REVIEW_IN_PROGRESS", {}, "Apply")]
)
def test_a_stack_that_failed_stays_if_not_as_does_one_that_another_user_is_making(
    account: Account, status: str, tags: dict[str, str] | None, no: str
) -> None:
    account.has(status, tags=tags)
    account.person.noes = (no,)
    with failed(SkipscanError, "nothing "):
        account.deploy("Orders")
    assert account.cloudformation.asked("DeleteStack") == []


@pytest.mark.parametrize(
    ("end", "reason", "way"),
    [
        ("ROLLBACK_COMPLETE", "no such runtime", "deploy again"),
        ("UPDATE_ROLLBACK_COMPLETE", "no such runtime", "unchanged"),
        ("ROLLBACK_COMPLETE", "/aws/lambda/skipscan-dev-plan already exists in stack other", "another environment"),
    ],
)
def test_a_failure_names_the_resource_that_failed_first(account: Account, end: str, reason: str, way: str) -> None:
    if end.startswith("UPDATE"):
        account.has("CREATE_COMPLETE")
    account.cloudformation.ends["deploy"] = end
    failures = ("Cancelled", "Resource creation cancelled"), ("Plan", reason), ("Scan", "later")
    account.cloudformation.failures = failures
    rule = rf"{end}\. Plan \(AWS::Lambda::Function\): {reason.split(maxsplit=1)[0]}"
    with refused(SkipscanError, "stack skipscan-dev", rule=rule, way=way):
        account.deploy("Orders")


def test_a_change_set_whose_answer_was_lost_is_found_again(account: Account) -> None:
    create = account.cloudformation.create_change_set

    def twice(**asked: object) -> None:
        create(**asked)
        raise refusal("AlreadyExistsException", "CreateChangeSet")

    account.cloudformation.create_change_set = twice  # type: ignore[method-assign,assignment]
    assert account.deploy("Orders").status == "CREATE_COMPLETE"


@pytest.mark.parametrize("error", ["AccessDenied", "Throttling"])
def test_unreadable_events_do_not_keep_it_waiting_forever(account: Account, error: str) -> None:
    original = account.cloudformation.execute_change_set

    def then_trouble(**asked: object) -> None:
        original(**asked)
        account.cloudformation.refused["DescribeStackEvents"] = [refusal(error, "DescribeStackEvents")] * 20

    account.cloudformation.execute_change_set = then_trouble  # type: ignore[method-assign]
    with refused(SkipscanError, "the events of stack skipscan-dev", rule=error, way="console"):
        account.deploy("Orders")


@pytest.mark.parametrize("start", ["Change set", "CloudFormation continues"])
def test_a_closed_terminal_interrupts_the_deployment_as_ctrl_c_does(account: Account, start: str) -> None:
    def closed(line: str) -> None:
        if line.startswith(start):
            raise OSError(5, "Input/output error")

    def pressed(_seconds: float) -> None:
        if account.cloudformation.is_executed or start == "Change set":
            raise KeyboardInterrupt

    account.person.say = closed  # type: ignore[method-assign]
    account.slept = type("Slept", (list,), {"append": lambda _self, seconds: pressed(seconds)})()
    with pytest.raises(KeyboardInterrupt):
        account.deploy("Orders")


def test_a_missing_stack_cannot_be_removed(account: Account) -> None:
    with refused(NotFoundError, "env", "dev", rule="skipscan-dev in eu-west-1 .*1{12}", way="--region .*--profile"):
        account.destroy()


def test_a_protected_stack_is_left(account: Account) -> None:
    account.has("UPDATE_COMPLETE", EnableTerminationProtection=True)
    with refused(InputError, "stack skipscan-dev", way="--no-enable-termination-protection --stack-name skipscan-dev"):
        account.destroy()
    assert account.cloudformation.asked("DeleteStack") == []


def test_a_failed_removal_is_reported_with_its_reason(account: Account) -> None:
    account.has("DELETE_FAILED")
    account.cloudformation.ends["delete"] = "DELETE_FAILED"
    account.cloudformation.failures = (("Scan", "it is in use"),)
    rule = r"DELETE_FAILED\. Scan \(AWS::Lambda::Function\): "
    with refused(SkipscanError, "stack skipscan-dev", rule=rule, way="skipscan destroy --env dev"):
        account.destroy()
