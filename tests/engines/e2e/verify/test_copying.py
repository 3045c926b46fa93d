"""The kit's tables that stay: made before the environment that copies them is deployed, as docs/verify.md says.

MiniStack's own DynamoDB has the stream; an account of its own, because another deployment is made of the environment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boto3
import pytest

from local import cdk
from local.checkout import ACCESS_KEY, ACCOUNT, BUILD, REGION
from local.embedded import Embedded, embedded_with_streams
from skipscan.environment import executions as deployments
from verify.check import Outcome
from verify.checks import CHECKS
from verify.checks.jobs import COPIED, COPY, to_copy
from verify.kit import Kit
from verify.removal import found, remove
from verify.run import attempt
from verify.thing import Kind

pytestmark = [pytest.mark.xdist_group("streams"), pytest.mark.in_order, pytest.mark.long]

ENVIRONMENT = "kept"
SOURCE, TARGET = f"skipscan-verify-{ENVIRONMENT}-{COPIED}", f"skipscan-verify-{ENVIRONMENT}-{COPY}"


@dataclass
class Place:
    """An account, the folder that the environment is deployed from, and what cdk.json says of the environment."""

    account: Embedded
    folder: Path
    said: dict[str, Any] = field(
        default_factory=lambda: {
            "account": ACCOUNT,
            "region": REGION,
            "tables": ["Orders"],
            "limits": {"batch_pages": 4},
        }
    )

    def deploy(self, **more: Any) -> None:
        self.said |= more
        cdk.write_app(self.folder, {ENVIRONMENT: self.said})
        self.account.deploy(ENVIRONMENT, folder=self.folder)

    def kit(self, launch: str, key: str | None = None) -> Kit:
        session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
        deployed = deployments.find_deployment(deployments.cloudformation_client(session), ENVIRONMENT)
        return Kit(session, deployed, launch, keys=20, patience_seconds=60.0, policy_seconds=0.0, kms_key=key)


@pytest.fixture(scope="module")
def kept_place() -> Iterator[Place]:
    with (
        embedded_with_streams() as account,
        TemporaryDirectory(dir=BUILD, prefix="kept-") as name,
        pytest.MonkeyPatch.context() as patched,
    ):
        made = Place(account, Path(name))
        made.deploy()
        patched.setenv("AWS_ENDPOINT_URL", account.endpoint)
        patched.setenv("NO_PROXY", "127.0.0.1")
        yield made


def ended(kit: Kit, check: str) -> tuple[Outcome, str]:
    return attempt(kit, CHECKS[check])


def tables(place: Place) -> set[str]:
    return set(place.account.dynamodb.list_tables()["TableNames"])


def test_an_environment_without_copies_has_nothing_to_try(kept_place: Place) -> None:
    for check in ("copy", "copy-follows"):
        outcome, seen = ended(kept_place.kit("none"), check)
        assert (outcome, "the environment has no copy" in seen) == (Outcome.NOT_TRIED, True), seen


def test_what_was_prepared_and_deployed_is_copied_and_followed_in_each_launch(kept_place: Place) -> None:
    said = to_copy(kept_place.kit("prepare"))
    assert to_copy(kept_place.kit("again")) == said
    assert tables(kept_place) == {SOURCE, TARGET}
    kept_place.deploy(**said)
    for launch in ("first", "second"):
        kit = kept_place.kit(launch)
        outcome, seen = ended(kit, "copy")
        assert outcome is Outcome.HELD, seen
        outcome, seen = ended(kit, "copy-follows")
        assert outcome is Outcome.HELD, seen
        assert remove(kit, kit.made) == []
        assert tables(kept_place) == {SOURCE, TARGET}


def test_a_copy_that_leaves_an_item_out_does_not_hold(kept_place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    kit = kept_place.kit("partly")
    scan = kit.dynamodb.scan

    def without_one(**asked: Any) -> Any:
        answer = scan(**asked)
        return answer | {"Items": answer["Items"][1:]} if asked["TableName"] == TARGET else answer

    monkeypatch.setattr(kit.dynamodb, "scan", without_one)
    outcome, seen = ended(kit, "copy")
    assert outcome is Outcome.NOT_HELD, seen
    remove(kit, kit.made)


def test_a_table_with_a_key_is_listed_and_one_with_another_key_does_not_hold(
    kept_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
    key = session.client("kms").create_key()["KeyMetadata"]["Arn"]
    kit = kept_place.kit("key", key)
    outcome, seen = ended(kit, "table-key")
    assert (outcome, f"with the key {key}" in seen) == (Outcome.HELD, True), seen
    remove(kit, kit.made)
    other = kept_place.kit("other-key", key)
    create = other.dynamodb.create_table
    monkeypatch.setattr(
        other.dynamodb, "create_table", lambda **asked: create(**{**asked, "SSESpecification": {"Enabled": False}})
    )
    outcome, seen = ended(other, "table-key")
    assert (outcome, "the table has the key" in seen) == (Outcome.NOT_HELD, True), seen
    remove(other, other.made)


def test_clean_removes_the_tables_that_stay(kept_place: Place) -> None:
    kit = kept_place.kit("clean")
    things = list(found(kit, lambda line: None))
    assert {SOURCE, TARGET} <= {thing.name for thing in things if thing.kind is Kind.TABLE}
    assert remove(kit, things) == []
    assert tables(kept_place) == set()
    outcome, seen = ended(kept_place.kit("after"), "copy")
    assert (outcome, "--prepare makes it" in seen) == (Outcome.NOT_TRIED, True), seen
