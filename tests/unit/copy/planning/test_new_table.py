"""The table that a copy creates: with its source's identity and with recovery, as soon as it can be used."""

from dataclasses import replace
from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError, WaiterError

from skipscan.copy.planning import COPY_OF, _default_key, new_table, target_of
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from tests.fakes.faulty import faulty
from tests.fakes.small_table import DESCRIPTION
from tests.refusal import refused
from tests.simulation.world.clock import Clock

SOURCE = TableDescription.from_json({**DESCRIPTION, "TableId": "the source's"})
OWN = {"Key": COPY_OF, "Value": "the source's"}


def account(*, tags: list[dict[str, str]] | None = None, recovery: str = "DISABLED", active: int = 0) -> Any:
    """Return DynamoDB with the table `Audit-2` or without it; a new one is active after so many looks."""
    table = {**DESCRIPTION, "TableName": "Audit-2", "TableArn": "arn:made"}
    creating = repeat({"Table": {**table, "TableStatus": "CREATING"}}, active)
    backups = {"PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": recovery}}
    steps: dict[str, Any] = {
        "describe_table": chain(
            ["ResourceNotFoundException"] if tags is None else [], creating, repeat({"Table": table})
        ),
        "describe_continuous_backups": repeat({"ContinuousBackupsDescription": backups}),
        "list_tags_of_resource": [{"Tags": [], "NextToken": "1"}, {"Tags": tags or []}],
        "create_table": [{}],
        "update_continuous_backups": [{}],
    }
    return faulty(None, steps)


def changes(account: Any) -> dict[str, dict[str, Any]]:
    """Return the calls that change something, with their arguments."""
    return {call.name: call.asked for call in account.calls if call.name.startswith(("create", "update"))}


def target(account: Any, *, create: bool = True, dry_run: bool = False) -> TableDescription:
    return target_of(account, account, SOURCE, "Audit-2", create=create, dry_run=dry_run)


@pytest.mark.parametrize("dry_run", [False, True])
def test_without_leave_to_create_it_a_table_that_is_missing_is_refused(dry_run: bool) -> None:
    missing = account()
    with refused(TableError, "to", "Audit-2", {"create": True}, rule="there is no such table"):
        target(missing, create=False, dry_run=dry_run)
    assert changes(missing) == {}


def test_a_table_that_may_not_be_described_is_not_created() -> None:
    denied = faulty(None, {"describe_table": ["AccessDeniedException"]})
    with refused(TableError, "table", "Audit-2", rule="do not allow DescribeTable", way="DescribeTable"):
        target(denied, create=False)


def test_a_dry_run_describes_the_future_table_with_all_indexes_of_its_source() -> None:
    of = {"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
    lists = {
        "LocalSecondaryIndexes": [{**of, "IndexName": "local"}],
        "GlobalSecondaryIndexes": [{**of, "IndexName": "global"}],
    }
    source, future = TableDescription.from_json({**DESCRIPTION, **lists}), account()
    found = target_of(future, future, source, "Audit-2", create=True, dry_run=True)
    assert (found.name, found.key, found.status, found.indexes) == ("Audit-2", source.key, "ACTIVE", source.indexes)
    assert changes(future) == {}


def test_a_created_table_names_its_source_and_has_recovery() -> None:
    made = account()
    assert target(made).arn == "arn:made"
    assert changes(made)["create_table"]["Tags"] == [OWN]
    assert changes(made)["update_continuous_backups"] == {
        "TableName": "Audit-2",
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    }


def test_a_created_table_is_used_within_seconds_of_being_active_and_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The interval of the waiter itself is 20 s, and the plan has more to do in its 15 minutes."""
    clock = Clock()
    monkeypatch.setattr("botocore.waiter.time", clock)
    assert target(account(active=12)).status == "ACTIVE"
    assert (waited := clock.monotonic()) <= 5 * 12
    with pytest.raises(WaiterError):
        target(account(active=1000))
    assert 60 <= clock.monotonic() - waited <= 300


@pytest.mark.parametrize(
    ("account", "asked"),
    [
        (account(tags=[]), {}),
        (account(tags=[{**OWN, "Value": "another"}]), {}),
        (account(tags=[OWN], recovery="ENABLED"), {}),
        (account(tags=[OWN]), {"create": False}),
        (account(tags=[OWN]), {"dry_run": True}),
        (account(), {"dry_run": True}),
    ],
    ids=["no tag", "of another source", "already recoverable", "not asked to create", "dry run", "dry run, no table"],
)
def test_only_a_table_that_an_earlier_attempt_created_is_changed(account: Any, asked: dict[str, bool]) -> None:
    target(account, **asked)
    assert changes(account) == {}


def test_an_attempt_that_comes_again_gives_the_table_its_recovery() -> None:
    made = account(tags=[OWN])
    target(made)
    assert list(changes(made)) == ["update_continuous_backups"]


# A table like the source: the customer's key is named, the account's default key must not be.


KEY = "arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-0000-4000-8000-000000000000"


def described(key: str | None) -> TableDescription:
    encryption = {"SSEDescription": {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": key}} if key else {}
    return TableDescription.from_json(
        {
            "TableName": "Old",
            "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Old",
            "TableStatus": "ACTIVE",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            **encryption,
        }
    )


@pytest.mark.parametrize(
    ("key", "default", "encryption"),
    [
        (None, None, None),
        (KEY, None, {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": KEY}),
        (KEY, KEY.replace("0a", "ff"), {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": KEY}),
        (KEY, KEY, {"Enabled": True, "SSEType": "KMS"}),
    ],
)
def test_the_key_is_the_sources(key: str | None, default: str | None, encryption: dict[str, object] | None) -> None:
    # https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_SSESpecification.html
    assert new_table(described(key), "New", default_key=default).get("SSESpecification") == encryption


@pytest.mark.parametrize("code", ["AccessDeniedException", "ThrottlingException"])
def test_a_default_key_that_cannot_be_asked_for_is_not_taken_for_none(code: str) -> None:
    """The source's key might be that one, which CreateTable refuses."""

    def refuse(**_: Any) -> None:
        raise ClientError({"Error": {"Code": code, "Message": ""}}, "DescribeKey")

    keys: Any = SimpleNamespace(describe_key=refuse)
    with pytest.raises(ClientError):
        _default_key(keys)


@pytest.mark.parametrize(("own", "asked_for"), [("arn:default", {}), ("arn:own", {"KMSMasterKeyId": "arn:own"})])
def test_the_default_key_of_the_account_is_asked_for_and_left_to_dynamodb(own: str, asked_for: dict[str, str]) -> None:
    made, keys = account(), faulty(None, {"describe_key": [{"KeyMetadata": {"Arn": "arn:default"}}]}, "kms")
    source = replace(SOURCE, kms_key=own)
    target_of(made, keys, source, "Audit-2", create=True, dry_run=False)
    assert keys.asked("describe_key") == [{"KeyId": "alias/aws/dynamodb"}]
    encryption = {"Enabled": True, "SSEType": "KMS", **asked_for}
    assert changes(made)["create_table"]["SSESpecification"] == encryption
