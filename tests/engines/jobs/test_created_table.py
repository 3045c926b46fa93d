"""The table that a copy creates: like the source, once, and with its recovery."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from local import audit_table
from skipscan.errors import TableError
from tests.engines.jobs.conftest import Copied, vectors
from tests.refusal import answered

pytestmark = pytest.mark.xdist_group("dynalite")


def test_a_table_is_created_like_the_source_on_request(copied: Copied) -> None:
    copied.load(10)
    gone(copied)
    assert "there is no such table" in copied.run()["cause"]
    assert copied.explained(create=True)["items"] == 15
    assert "create_table" not in copied.engine.names
    assert copied.run("made", create=True)["copied"] == 15
    assert copied.target == copied.expected
    made = copied.engine.client.describe_table(TableName=copied.to)["Table"]
    assert [index["IndexName"] for index in made["GlobalSecondaryIndexes"]] == [audit_table.INDEX]


def gone(copied: Copied) -> None:
    copied.engine.client.delete_table(TableName=copied.to)
    copied.engine.client.get_waiter("table_not_exists").wait(
        TableName=copied.to, WaiterConfig={"Delay": 1, "MaxAttempts": 600}
    )
    copied.engine.recovery = "DISABLED"


def test_the_recovery_of_a_new_table_is_requested_until_it_is_available(copied: Copied) -> None:
    """A retry of Plan finds the table that it made, and asks again."""
    copied.load(10)
    gone(copied)
    copied.engine.unavailable = 2
    for _ in range(2):
        with pytest.raises(ClientError, match="ContinuousBackupsUnavailableException") as raised:
            copied.run("made", create=True)
        assert type(raised.value).__name__ == "ContinuousBackupsUnavailableException", "the retrier goes by the name"
    assert copied.run("made", create=True)["copied"] == 15
    assert copied.engine.names.count("create_table") == 1
    assert copied.engine.recovery == "ENABLED"


def test_two_attempts_that_create_the_table_at_once_get_one(copied: Copied) -> None:
    """API reference, CreateTable: ResourceInUseException while another request creates the table."""
    copied.load(10)
    gone(copied)

    def overtaken(name: str, parameters: dict[str, Any]) -> None:
        if name == "create_table":
            copied.engine.before = None
            copied.engine.client.create_table(**{**parameters, "Tags": []})

    copied.engine.before = overtaken
    assert copied.run("made", create=True)["copied"] == 15


@pytest.mark.parametrize("dry_run", [True, False])
def test_no_table_is_created_without_the_source_s_vector_indexes(copied: Copied, dry_run: bool) -> None:
    copied.load(10)
    copied.engine.more = {copied.table: vectors("by-meaning")}
    assert copied.run("there", create=True)["copied"] == 15, "a target that exists is taken as it is"
    gone(copied)
    refused = copied.run("made", create=True, dry_run=dry_run)
    answered(refused, TableError, "create", True, "create", rule=rf'^table "{copied.table}" .* \(by-meaning\)')
    assert "create_table" not in copied.engine.names
