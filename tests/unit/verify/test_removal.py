"""What earlier launches left is found on any page of an account's lists, and removed with all that it holds."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from skipscan.environment.executions import PREFIX, Deployment
from tests.fakes.pages import Answer, paged, refuse
from tests.simulation.inputs.clock import Clock
from verify import __main__ as command
from verify import removal
from verify.kit import Kit
from verify.removal import found, remove
from verify.thing import TAG, Kind, Thing

ACCOUNT = "us-east-1:000000000000"
START = "skipscan-verify-dev-"
OWN, THEIRS = f"{START}1-own", f"{START}2-theirs"
MACHINE = f"arn:aws:states:{ACCOUNT}:stateMachine:"
MACHINES = {"run": f"{MACHINE}skipscan-dev"}
RUN = f"arn:aws:states:{ACCOUNT}:execution:skipscan-dev:verify-1-run"


def tags(name: str, key: str = "Key", value: str = "Value") -> list[dict[str, str]]:
    """The kit's own tag is the last one."""
    return [{key: "Team", value: "data"}, *([{key: TAG, value: "dev"}] if OWN in name else [])]


def tag_map(name: str) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in tags(name)}


def entries(field: str, key: str, arn: str = "Arn", *names: str, **more: object) -> Answer:
    """Return a list with a name and an ARN in each entry."""
    return lambda _: {
        field: [
            {key: name, arn: f"arn:aws:x:{ACCOUNT}:thing:{name}", **more} for name in names or ("orders", THEIRS, OWN)
        ]
    }


def mappings(_: object) -> dict[str, Any]:
    function, mapping = f"arn:aws:lambda:{ACCOUNT}:function:", f"arn:aws:lambda:{ACCOUNT}:event-source-mapping:"
    return {
        "EventSourceMappings": [
            {"UUID": f"uuid-of-{name}", "FunctionArn": f"{function}{name}", "EventSourceMappingArn": f"{mapping}{name}"}
            for name in ("orders", THEIRS, OWN)
        ]
    }


CLIENTS: dict[str, dict[str, Answer]] = {
    "dynamodb": {
        "list_tables": lambda _: {"TableNames": ["orders", THEIRS, OWN]},
        "describe_table": lambda asked: {
            "Table": {"TableArn": f"arn:aws:dynamodb:{ACCOUNT}:table/{asked['TableName']}"}
        },
        "list_tags_of_resource": lambda asked: {"Tags": tags(asked["ResourceArn"])},
    },
    "s3": {
        "list_buckets": entries("Buckets", "Name"),
        "get_bucket_tagging": lambda asked: {"TagSet": tags(asked["Bucket"])},
        "list_objects_v2": lambda _: {
            "CommonPrefixes": [{"Prefix": f"{PREFIX}/{name}/"} for name in (f"{START}1-run", OWN)]
        },
    },
    "lambda": {
        "list_functions": entries("Functions", "FunctionName", "FunctionArn"),
        "list_event_source_mappings": mappings,
        "list_tags": lambda asked: {"Tags": tag_map(asked["Resource"])},
    },
    "stepfunctions": {
        "list_state_machines": entries("stateMachines", "name", "stateMachineArn"),
        "list_tags_for_resource": lambda asked: {"tags": tags(asked["resourceArn"], "key", "value")},
        "list_executions": lambda _: {
            "executions": [{"name": name, "executionArn": RUN} for name in ("nightly", "verify-1-run")]
        },
        "describe_execution": lambda _: {"input": json.dumps({"table": OWN})},
    },
    "iam": {
        "list_roles": entries("Roles", "RoleName"),
        "list_role_tags": lambda asked: {"Tags": tags(asked["RoleName"])},
    },
    "sqs": {
        "list_queues": lambda _: {"QueueUrls": [f"https://sqs/{name}" for name in (THEIRS, OWN)]},
        "list_queue_tags": lambda asked: {"Tags": tag_map(asked["QueueUrl"])},
    },
    "scheduler": {
        "list_schedule_groups": entries("ScheduleGroups", "Name", "Arn", THEIRS, OWN, State="ACTIVE"),
        "list_tags_for_resource": lambda asked: {"Tags": tags(asked["ResourceArn"])},
    },
}


@pytest.fixture
def paged_kit() -> Kit:
    session: Any = SimpleNamespace(client=lambda service, **_: paged(service, **CLIENTS[service]))
    return Kit(session, Deployment("dev", "results", MACHINES), "1")


@pytest.mark.second_page("verify.removal:_all")
def test_what_the_kit_made_is_found_on_any_page(paged_kit: Kit) -> None:
    reported: list[str] = []
    arn = f"arn:aws:x:{ACCOUNT}:thing:{OWN}"
    assert set(found(paged_kit, reported.append)) == {
        Thing(Kind.SCHEDULES, OWN),
        Thing(Kind.EXECUTION, RUN),
        Thing(Kind.MAPPING, f"uuid-of-{OWN}"),
        Thing(Kind.STATE_MACHINE, arn),
        Thing(Kind.FUNCTION, OWN),
        Thing(Kind.ROLE, OWN),
        Thing(Kind.RESULTS, OWN),
        Thing(Kind.RESULTS, f"{START}1-run"),
        Thing(Kind.BUCKET, OWN),
        Thing(Kind.QUEUE, f"https://sqs/{OWN}"),
        Thing(Kind.TABLE, OWN),
    }
    assert len(reported) == 8
    assert all("lacks the tag" in line and "theirs" in line for line in reported)


class Account:
    """Services that record what is deleted. `busy`: how often a table is still being created."""

    def __init__(self, busy: int = 0) -> None:
        self.deleted: list[object] = []
        self._busy = busy

    def session(self) -> Any:
        answers: dict[str, dict[str, Answer]] = {
            "iam": {
                "list_role_policies": lambda _: {"PolicyNames": ["read", "write"]},
                "delete_role_policy": lambda asked: self._delete(asked["PolicyName"]),
                "delete_role": lambda asked: self._delete(asked["RoleName"]),
            },
            "s3": {
                "list_objects_v2": lambda _: {"Contents": [{"Key": key} for key in ("plan.json", "parts/0.jsonl")]},
                "delete_objects": lambda asked: self._delete(*(one["Key"] for one in asked["Delete"]["Objects"])),
                "delete_bucket": lambda asked: self._delete(asked["Bucket"]),
            },
            "dynamodb": {
                "delete_table": lambda asked: self._delete_table(asked["TableName"]),
                "describe_table": lambda _: {"Table": {"TableStatus": "CREATING"}},
            },
            "lambda": {"delete_function": lambda _: refuse("AccessDeniedException", "DeleteFunction")},
        }
        return SimpleNamespace(client=lambda service, **_: paged(service, **answers[service]))

    def _delete(self, *names: str) -> dict[str, Any]:
        self.deleted += names
        return {}

    def _delete_table(self, name: str) -> dict[str, Any]:
        if self._busy:
            self._busy -= 1
            refuse("ResourceInUseException", "DeleteTable")
        return self._delete(name)


def kit_of(account: Account) -> Kit:
    return Kit(account.session(), Deployment("dev", "results", MACHINES), "1")


@pytest.mark.second_page("verify.removal:_all", "verify.removal:_remove_objects")
def test_what_holds_more_than_a_page_is_removed_with_all_of_it() -> None:
    account = Account()
    assert remove(kit_of(account), [Thing(Kind.ROLE, OWN), Thing(Kind.BUCKET, f"{OWN}-bucket")]) == []
    assert account.deleted == ["read", "write", OWN, "plan.json", "parts/0.jsonl", f"{OWN}-bucket"]


@pytest.mark.asked_again("verify.removal:remove")
def test_what_cannot_be_removed_is_named_and_the_rest_is_removed() -> None:
    account = Account()
    [left] = remove(kit_of(account), [Thing(Kind.FUNCTION, OWN), Thing(Kind.ROLE, OWN)])
    assert left.startswith(f"function {OWN}: An error occurred (AccessDeniedException)")
    assert account.deleted == ["read", "write", OWN]


@pytest.mark.asked_again("verify.removal:_once_free")
@pytest.mark.waits("verify.removal:_once_free")
def test_a_table_that_is_still_being_created_is_removed_as_soon_as_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(removal, "time", clock)
    account = Account(busy=3)
    assert remove(kit_of(account), [Thing(Kind.TABLE, OWN)]) == []
    assert (account.deleted, clock.monotonic()) == ([OWN], 3)


def test_a_table_that_stays_busy_is_named_after_five_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(removal, "time", clock)
    [left] = remove(kit_of(Account(busy=1000)), [Thing(Kind.TABLE, OWN)])
    assert left.startswith(f"table {OWN}: An error occurred (ResourceInUseException)")
    assert removal.BUSY_SECONDS < clock.monotonic() < removal.BUSY_SECONDS + 2


def test_a_list_that_is_refused_hides_no_other() -> None:
    refused = {**CLIENTS, "iam": {"list_roles": lambda _: refuse("AccessDenied", "ListRoles")}}
    session: Any = SimpleNamespace(client=lambda service, **_: paged(service, **refused[service]))
    reported: list[str] = []
    things = set(found(Kit(session, Deployment("dev", "results", MACHINES), "1"), reported.append))
    assert {thing.kind for thing in things} == set(Kind) - {Kind.ROLE}
    assert [line.partition(":")[0] for line in reported if "cannot" in line] == ["cannot look for any role"]


@pytest.mark.parametrize(
    ("service", "call", "code", "kind", "is_gone"),
    [
        # A launch was killed before it could tag the bucket.
        ("s3", "get_bucket_tagging", "NoSuchTagSet", Kind.BUCKET, False),
        # Removed since it was listed.
        ("dynamodb", "describe_table", "ResourceNotFoundException", Kind.TABLE, True),
        ("sqs", "list_queue_tags", "AWS.SimpleQueueService.NonExistentQueue", Kind.QUEUE, True),
        ("stepfunctions", "list_tags_for_resource", "ResourceNotFound", Kind.STATE_MACHINE, True),
    ],
)
def test_one_without_tags_hides_no_other_of_its_kind(
    service: str, call: str, code: str, kind: Kind, is_gone: bool
) -> None:
    def answer(asked: Any) -> Any:
        return refuse(code, call) if THEIRS in str(asked) else CLIENTS[service][call](asked)

    answers = {**CLIENTS, service: {**CLIENTS[service], call: answer}}
    session: Any = SimpleNamespace(client=lambda service, **_: paged(service, **answers[service]))
    reported: list[str] = []
    things = set(found(Kit(session, Deployment("dev", "results", MACHINES), "1"), reported.append))
    assert kind in {thing.kind for thing in things}
    assert [line for line in reported if "cannot" in line] == []
    [said] = [line for line in reported if line.startswith(f"{kind} ") and THEIRS in line]
    assert ("is gone" in said, "lacks the tag" in said) == (is_gone, not is_gone)


@pytest.mark.parametrize(
    "refused", [("iam", "list_roles"), ("s3", "list_objects_v2"), ("stepfunctions", "list_executions")]
)
def test_where_it_cannot_look_it_claims_no_absence(refused: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    service, call = refused
    nothing: dict[str, dict[str, Answer]] = {
        name: {each: lambda _: {} for each in answers} for name, answers in CLIENTS.items()
    }
    nothing[service][call] = lambda _: refuse("AccessDenied", call)
    session = SimpleNamespace(client=lambda service, **_: paged(service, **nothing.get(service, {})))
    monkeypatch.setattr("boto3.Session", lambda **_: session)
    deployment = Deployment("dev", "results", MACHINES)
    monkeypatch.setattr("skipscan.environment.executions.find_deployment", lambda *_: deployment)
    done = CliRunner().invoke(command.verify, ["--env", "dev", "--clean"], standalone_mode=False)
    assert (done.return_value, "AccessDenied" in done.output, "No leftovers" in done.output) == (1, True, False)
