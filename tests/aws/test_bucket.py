"""The kernel's storage in a bucket: ranges, names and folders over several pages, tags, counted requests."""

from typing import Any

import pytest

from skipscan.aws.bucket import CHECKPOINT_TAG, Bucket
from skipscan.loop.meter import Meter
from tests.fakes.s3 import FakeS3


@pytest.fixture
def s3() -> FakeS3:
    return FakeS3("bucket", page_size=2)


@pytest.fixture
def bucket(s3: FakeS3) -> Bucket:
    client: Any = s3
    return Bucket(client, "bucket", Meter(1.0))


def test_a_range_comes_with_the_size_of_the_whole(bucket: Bucket) -> None:
    bucket.put("part", b"0123456789")
    assert bucket.get_range("part", 2, 5) == (b"234", 10)
    assert bucket.get_range("part", 8, 99) == (b"89", 10)


def test_names_and_folders_come_from_every_page(bucket: Bucket) -> None:
    for name in ("a/1", "a/2", "a/b/1", "a/b/2", "a/c/1", "a/d/1", "other"):
        bucket.put(name, b"")
    assert [name for name, _ in bucket.names("a/")] == ["a/1", "a/2", "a/b/1", "a/b/2", "a/c/1", "a/d/1"]
    assert list(bucket.folders("a/")) == ["b", "c", "d"]
    assert list(bucket.names("nothing/")) == []
    assert list(bucket.folders("nothing/")) == []


def test_only_what_expires_has_the_tag_of_a_checkpoint(bucket: Bucket, s3: FakeS3) -> None:
    assert bucket.put_once("part", b"a")
    assert bucket.put_once("checkpoint", b"a", expires=True)
    assert s3.objects["part"].tags == ()
    assert ["=".join(tag) for tag in s3.objects["checkpoint"].tags] == [CHECKPOINT_TAG]


def test_it_is_the_same_bucket_whatever_it_was_used_for(bucket: Bucket) -> None:
    bucket.put("name", b"")
    assert bucket == Bucket(bucket.client, "bucket")
