"""The fake of S3 answers as other engines do, where they can be asked; and what it alone can do."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from local.checkout import ACCESS_KEY, REGION
from local.embedded import CONFIG, SESSION
from local.ministack import ministack
from tests.fakes.s3 import FakeS3
from tests.simulation.world.functions import BUCKET

NAMES = ["a/b", "a/é", "a/\U0001f600", "a/\uffff", "b"]


@pytest.fixture(scope="module")
def ministack_s3() -> Iterator[Any]:
    with ministack(dynamodb="http://127.0.0.1:9") as url:
        yield SESSION.client("s3", endpoint_url=url, config=CONFIG)


@pytest.fixture(scope="module")
def moto_s3() -> Iterator[Any]:
    with mock_aws():
        # moto answers only for sessions made after its import.
        yield boto3.Session(aws_access_key_id=ACCESS_KEY, aws_secret_access_key=ACCESS_KEY).client(
            "s3", region_name=REGION
        )


ALONE = pytest.mark.xdist_group("s3")  # so that each engine is started once


@pytest.fixture(params=["fake", pytest.param("moto", marks=ALONE), pytest.param("ministack", marks=ALONE)])
def any_s3(request: pytest.FixtureRequest) -> Any:
    if request.param == "fake":
        return FakeS3(BUCKET, page_size=2)
    client = request.getfixturevalue(f"{request.param}_s3")
    client.create_bucket(Bucket=BUCKET)
    return client


def refusal(call: Any, **asked: Any) -> tuple[str, int]:
    with pytest.raises(ClientError) as refused:
        call(Bucket=BUCKET, **asked)
    response = refused.value.response
    return response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"]


def test_answers_like_any_s3(any_s3: Any) -> None:
    """One test, so that an engine is asked once."""
    assert refusal(any_s3.head_object, Key="none") == ("404", 404)
    assert refusal(any_s3.get_object, Key="none") == ("NoSuchKey", 404)
    with pytest.raises(any_s3.exceptions.NoSuchKey):
        any_s3.get_object(Bucket=BUCKET, Key="none")

    metadata = {"attempt": "1f", "keys": "2"}
    first = any_s3.put_object(
        Bucket=BUCKET, Key="a/part", Body=b"first", IfNoneMatch="*", Metadata=metadata, ContentType="a/b"
    )
    again = {"Key": "a/part", "Body": b"second", "IfNoneMatch": "*"}
    assert refusal(any_s3.put_object, **again) == ("PreconditionFailed", 412)
    head = any_s3.head_object(Bucket=BUCKET, Key="a/part")
    assert (head["Metadata"], head["ContentLength"], head["ContentType"]) == (metadata, 5, "a/b")
    assert head["ETag"] == first["ETag"]
    assert any_s3.get_object(Bucket=BUCKET, Key="a/part")["Body"].read() == b"first"
    any_s3.put_object(Bucket=BUCKET, Key="a/part", Body=b"third", Tagging="skipscan=checkpoint&a=b%20c")
    assert any_s3.get_object(Bucket=BUCKET, Key="a/part")["Body"].read() == b"third"
    assert any_s3.head_object(Bucket=BUCKET, Key="a/part")["Metadata"] == {}
    tags = any_s3.get_object_tagging(Bucket=BUCKET, Key="a/part")["TagSet"]
    assert {tag["Key"]: tag["Value"] for tag in tags} == {"skipscan": "checkpoint", "a": "b c"}

    for name in NAMES:
        any_s3.put_object(Bucket=BUCKET, Key=name, Body=name.encode())
    pages = list(any_s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="a/"))
    listed = [entry["Key"] for page in pages for entry in page["Contents"]]
    assert sorted(listed) == sorted(["a/part", *NAMES[:4]])
    (none,) = any_s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="c")
    assert (none["KeyCount"], "Contents" in none) == (0, False)
    two = any_s3.list_objects_v2(Bucket=BUCKET, Prefix="a/", MaxKeys=2)
    assert (two["KeyCount"], two["IsTruncated"]) == (2, True)
    rest = any_s3.list_objects_v2(Bucket=BUCKET, Prefix="a/", ContinuationToken=two["NextContinuationToken"])
    assert not {entry["Key"] for entry in two["Contents"]} & {entry["Key"] for entry in rest["Contents"]}


def test_a_late_put_fails_after_another_put() -> None:
    s3 = FakeS3(BUCKET)
    s3.receive({"Bucket": BUCKET, "Key": "x", "Body": b"late", "IfNoneMatch": "*"})
    s3.put_object(Bucket=BUCKET, Key="x", Body=b"first", IfNoneMatch="*")
    s3.land(s3.under_way[0])
    assert (s3.objects["x"].body, s3.journal, s3.under_way) == (b"first", ["x"], [])
