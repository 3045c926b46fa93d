"""The table that a copy creates: with its source's identity and with recovery, as soon as it can be used."""

from itertools import chain, repeat
from typing import Any

import pytest

from skipscan.copy.planning import COPY_OF, target_of
from skipscan.dynamodb.table_description import TableDescription
from tests.fakes.faulty import faulty
from tests.fakes.small_table import DESCRIPTION

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


def test_a_created_table_names_its_source_and_has_recovery() -> None:
    made = account()
    assert target(made).arn == "arn:made"
    assert changes(made)["create_table"]["Tags"] == [OWN]
    assert changes(made)["update_continuous_backups"] == {
        "TableName": "Audit-2",
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    }


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
