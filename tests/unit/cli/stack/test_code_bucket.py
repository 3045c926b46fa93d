"""The bucket for code is private, reached by TLS alone, and of the very account that deploys."""

import json
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from skipscan.cli.stack.code_bucket import PRIVATE, CodeBucket
from skipscan.cli.stack.place import StackPlace
from skipscan.errors import InputError
from tests.refusal import refused
from tests.unit.cli.stack.conftest import Account
from tests.unit.cli.stack.fakes import refusal

BUCKET = "skipscan-code-111111111111-eu-west-1-an"


def test_it_is_private_and_reached_by_tls_alone(account: Account) -> None:
    account.deploy("Orders")
    made = account.s3.buckets[BUCKET]
    assert made["PublicAccessBlockConfiguration"] == PRIVATE
    assert all(PRIVATE.values())
    [statement] = json.loads(made["Policy"])["Statement"]
    assert (statement["Effect"], statement["Principal"], statement["Action"]) == ("Deny", "*", "s3:*")
    assert statement["Resource"] == [f"arn:aws:s3:::{BUCKET}", f"arn:aws:s3:::{BUCKET}/*"]
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_removed_statements_are_restored_and_added_ones_stay(account: Account) -> None:
    account.deploy("Orders")
    made, ours = account.s3.buckets[BUCKET], {"Sid": "Ours", "Effect": "Deny"}
    made["PublicAccessBlockConfiguration"] = {**PRIVATE, "BlockPublicAcls": False}
    made["Policy"] = json.dumps({"Version": "2012-10-17", "Statement": [ours]})
    made["objects"] = dict.fromkeys(made["objects"], b"something else")
    account.deploy()
    assert made["PublicAccessBlockConfiguration"] == PRIVATE
    assert [each["Sid"] for each in json.loads(made["Policy"])["Statement"]] == ["Ours", "SkipscanTlsOnly"]
    assert b"something else" not in made["objects"].values()
    account.deploy(schedule="rate(1 day)")
    assert len(json.loads(made["Policy"])["Statement"]) == 2


@pytest.mark.parametrize("own", [True, False])
def test_a_bucket_of_another_account_is_not_used(account: Account, own: bool) -> None:
    account.s3.elsewhere = frozenset({BUCKET, "theirs"})
    with refused(
        InputError, f"bucket {BUCKET if own else 'theirs'}", rule="account 111111111111", way="--permissions`"
    ):
        account.deploy("Orders", code_bucket=None if own else "theirs")
    assert account.s3.asked("PutObject") == []


def test_a_name_that_was_taken_meanwhile_is_not_used(account: Account) -> None:
    account.s3.refused["CreateBucket"] = [refusal("BucketAlreadyExists", "CreateBucket", 409)]
    with refused(InputError, f"bucket {BUCKET}", way="--code-bucket"):
        account.deploy("Orders")


def test_it_is_not_requested_without_end(account: Account) -> None:
    account.s3.refused["CreateBucket"] = [refusal("OperationAborted", "CreateBucket", 409)] * 9
    with pytest.raises(ClientError, match="OperationAborted"):
        CodeBucket(account.place, BUCKET, True, account.slept.append).make()
    assert account.slept == [5.0] * 4


def test_a_bucket_in_another_region_is_refused(account: Account) -> None:
    account.s3.buckets["ours"], account.s3.region = {"objects": {}}, "us-east-1"
    with refused(InputError, "bucket ours", rule="us-east-1.*eu-west-1", way="--code-bucket"):
        account.deploy("Orders", code_bucket="ours")


def test_a_named_bucket_must_exist(account: Account) -> None:
    with refused(InputError, "--code-bucket", "ours", rule="no such bucket"):
        account.deploy("Orders", code_bucket="ours")
    assert account.s3.asked("CreateBucket") == []


@pytest.mark.parametrize(("region", "sent"), [("eu-west-1", "account-regional"), ("me-south-1", None)])
def test_the_bucket_is_created_where_no_other_account_can_take_its_name(
    monkeypatch: pytest.MonkeyPatch, region: str, sent: str | None
) -> None:
    """Bahrain and the UAE have no such namespace: their names have no such ending."""
    asked: list[Any] = []
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        place = StackPlace.of(boto3.Session(region_name=region), "dev")
        place.s3.meta.events.register("before-send.s3.CreateBucket", lambda request, **_: asked.append(request))
        CodeBucket(place, place.code_bucket, is_own=True, sleep=print).make()
    *_, request = asked
    given = request.headers.get("x-amz-bucket-namespace")
    assert (given.decode() if isinstance(given, bytes) else given) == sent
    assert place.code_bucket.endswith(f"-{region}-an" if sent else f"-{region}")
    assert "x-amz-bucket-namespace" in str(request.headers.get("Authorization")) or sent is None, "it is signed"
