"""The table that a copy creates: with its source's identity and with recovery, as soon as it can be used."""

from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.planning import COPY_OF, target_of
from skipscan.dynamodb.table_description import TableDescription
from tests.fakes.small_table import DESCRIPTION

SOURCE = TableDescription.from_json({**DESCRIPTION, "TableId": "the source's"})
OWN = {"Key": COPY_OF, "Value": "the source's"}


class InUseError(Exception):
    pass


class Account:
    """DynamoDB with the table `Audit-2` or without it. `calls`: those that change something, with their arguments."""

    def __init__(self, *, tags: list[dict[str, str]] | None = None, recovery: str = "DISABLED") -> None:
        self.exists, self.tags, self.recovery = tags is not None, tags or [], recovery
        self.waited: dict[str, Any] = {}
        self.calls: dict[str, dict[str, Any]] = {}
        self.exceptions = self.meta = self
        self.region_name = "us-east-1"
        self.ResourceInUseException = InUseError

    def describe_table(self, **_: Any) -> dict[str, Any]:
        if not self.exists:
            raise ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": ""}}, "DescribeTable")
        return {"Table": {**DESCRIPTION, "TableName": "Audit-2", "TableArn": "arn:made"}}

    def describe_continuous_backups(self, **_: Any) -> dict[str, Any]:
        status = {"PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": self.recovery}}
        return {"ContinuousBackupsDescription": status}

    def get_paginator(self, operation: str) -> Any:
        assert operation == "list_tags_of_resource"
        return SimpleNamespace(paginate=lambda **_: iter([{"Tags": []}, {"Tags": self.tags}]))

    def create_table(self, **asked: Any) -> None:
        self.exists = True
        self.calls["create_table"] = asked

    def update_continuous_backups(self, **asked: Any) -> None:
        self.calls["update_continuous_backups"] = asked

    def get_waiter(self, name: str) -> Any:
        assert name == "table_exists"
        return self

    def wait(self, **asked: Any) -> None:
        self.waited = asked


def target(account: Account, *, create: bool = True, dry_run: bool = False) -> TableDescription:
    client: Any = account
    return target_of(client, client, SOURCE, "Audit-2", create=create, dry_run=dry_run)


def test_a_created_table_names_its_source_and_has_recovery() -> None:
    account = Account()
    assert target(account).arn == "arn:made"
    assert account.calls["create_table"]["Tags"] == [OWN]
    assert account.calls["update_continuous_backups"] == {
        "TableName": "Audit-2",
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    }


def test_a_created_table_is_used_within_seconds_and_waited_for_as_long_as_the_function_may() -> None:
    """The interval of the waiter itself is 20 s, and the plan has more to do in its 15 minutes."""
    account = Account()
    target(account)
    waits = account.waited["WaiterConfig"]
    assert account.waited["TableName"] == "Audit-2"
    assert waits["Delay"] <= 5
    assert 60 <= waits["Delay"] * waits["MaxAttempts"] <= 300


@pytest.mark.parametrize(
    ("account", "asked"),
    [
        (Account(tags=[]), {}),
        (Account(tags=[{**OWN, "Value": "another"}]), {}),
        (Account(tags=[OWN], recovery="ENABLED"), {}),
        (Account(tags=[OWN]), {"create": False}),
        (Account(tags=[OWN]), {"dry_run": True}),
        (Account(), {"dry_run": True}),
    ],
    ids=["no tag", "of another source", "already recoverable", "not asked to create", "dry run", "dry run, no table"],
)
def test_only_a_table_that_an_earlier_attempt_created_is_changed(account: Account, asked: dict[str, bool]) -> None:
    target(account, **asked)
    assert account.calls == {}


def test_an_attempt_that_comes_again_gives_the_table_its_recovery() -> None:
    account = Account(tags=[OWN])
    target(account)
    assert list(account.calls) == ["update_continuous_backups"]
