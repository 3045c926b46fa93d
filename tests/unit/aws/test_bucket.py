"""The kernel's storage in a bucket: ranges, names and folders over several pages, tags, counted requests."""

from collections.abc import Callable
from contextlib import nullcontext
from io import BytesIO
from typing import Any

import pytest
from botocore.exceptions import ClientError, IncompleteReadError
from botocore.response import StreamingBody

from skipscan.aws.bucket import CHECKPOINT_TAG, Bucket
from skipscan.errors import DeniedError
from skipscan.loop.dependencies import Meter
from tests.fakes.s3 import FakeS3, s3_error
from tests.refusal import refused


@pytest.fixture
def paged_s3() -> FakeS3:
    return FakeS3("bucket", page_size=2)


@pytest.fixture
def bucket(paged_s3: FakeS3) -> Bucket:
    client: Any = paged_s3
    return Bucket(client, "bucket", Meter(1.0))


@pytest.mark.parametrize(("broken", "is_read"), [(2, True), (3, False)])
def test_a_body_that_breaks_off_is_read_again(
    bucket: Bucket, paged_s3: FakeS3, monkeypatch: pytest.MonkeyPatch, broken: int, is_read: bool
) -> None:
    bucket.put("part", b"0123456789")
    bodies, whole = iter([b"01234"] * broken), paged_s3.get_object

    def answer(**asked: Any) -> dict[str, Any]:
        found = whole(**asked)
        body = next(bodies, found["Body"].read())
        return {**found, "Body": StreamingBody(BytesIO(body), content_length=10)}

    monkeypatch.setattr(paged_s3, "get_object", answer)
    with nullcontext() if is_read else pytest.raises(IncompleteReadError):
        assert bucket.get("part") == b"0123456789"


def test_names_and_folders_come_from_every_page(bucket: Bucket) -> None:
    for name in ("a/1", "a/2", "a/b/1", "a/b/2", "a/c/1", "a/d/1", "other"):
        bucket.put(name, b"")
    assert [name for name, _ in bucket.names("a/")] == ["a/1", "a/2", "a/b/1", "a/b/2", "a/c/1", "a/d/1"]
    assert list(bucket.folders("a/")) == ["b", "c", "d"]
    assert list(bucket.names("nothing/")) == []
    assert list(bucket.folders("nothing/")) == []


REQUESTS: dict[str, tuple[str, Callable[[Bucket], Any], tuple[int, int]]] = {
    "get": ("get_object", lambda bucket: bucket.get("name"), (0, 1)),
    "range": ("get_object", lambda bucket: bucket.get_range("name", 0, 1), (0, 1)),
    "look": ("head_object", lambda bucket: bucket.look("name"), (0, 1)),
    "put": ("put_object", lambda bucket: bucket.put("name", b"body"), (1, 0)),
    "put once": ("put_object", lambda bucket: bucket.put_once("name", b"body"), (1, 0)),
    "names": ("list_objects_v2", lambda bucket: list(bucket.names("")), (1, 0)),
    "folders": ("list_objects_v2", lambda bucket: list(bucket.folders("")), (1, 0)),
}
"""By a name: the request of a method, the method, and what it counts as puts and as gets. S3 bills a list as a put."""


@pytest.mark.parametrize("method", REQUESTS)
def test_every_request_is_counted(bucket: Bucket, method: str) -> None:
    bucket.client.put_object(Bucket="bucket", Key="name", Body=b"body", ContentType="text/plain")
    _, ask, counted = REQUESTS[method]
    ask(bucket)
    assert (bucket.meter.s3_puts, bucket.meter.s3_gets) == counted


ONE_OBJECT = {
    "get": "GetObject",
    "range": "GetObject",
    "look": "HeadObject",
    "put": "PutObject",
    "put once": "PutObject",
}


@pytest.fixture(params=ONE_OBJECT)
def refusing(
    request: pytest.FixtureRequest, bucket: Bucket, paged_s3: FakeS3, monkeypatch: pytest.MonkeyPatch
) -> Callable[[ClientError], Any]:
    """Each method that asks for one object, when S3 answers with that error."""
    operation, ask, _ = REQUESTS[request.param]

    def asked(error: ClientError) -> Any:
        def refuse(**_: Any) -> Any:
            raise ClientError(error.response, ONE_OBJECT[request.param])

        monkeypatch.setattr(paged_s3, operation, refuse)
        return ask(bucket)

    return asked


@pytest.mark.parametrize(
    ("code", "status", "permission"),
    [("KMS.DisabledException", 400, "kms:GenerateDataKey"), ("AccessDenied", 403, "allow s3:")],
)
def test_a_refusal_that_will_come_again_names_the_object_and_the_way_out(
    refusing: Callable[[ClientError], Any], code: str, status: int, permission: str
) -> None:
    with refused(DeniedError, "S3", rule=f"{status} for s3://bucket/name", way=permission):
        refusing(s3_error(code, status, ""))


def test_only_what_expires_has_the_tag_of_a_checkpoint(bucket: Bucket, paged_s3: FakeS3) -> None:
    assert bucket.put_once("part", b"a")
    assert bucket.put_once("checkpoint", b"a", expires=True)
    assert paged_s3.objects["part"].tags == ()
    assert ["=".join(tag) for tag in paged_s3.objects["checkpoint"].tags] == [CHECKPOINT_TAG]
