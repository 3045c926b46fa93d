"""Conditional puts on S3: the commit of every batch."""

import base64
import hashlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from skipscan.environment.executions import PREFIX
from skipscan.listing.kind import LISTING
from verify.check import check, hold
from verify.checks.skips import refusal
from verify.errors import NotTriedError
from verify.kit import Kit
from verify.thing import Kind

CONDITIONAL = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html"
CHECKSUMS = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html"
TWICE = "A batch that runs twice puts its keys twice."
WRITERS, ROUNDS = 8, 10
TAKEN = {"PreconditionFailed", "ConditionalRequestConflict"}


def bucket(kit: Kit) -> str:
    """Return a bucket of the kit's own."""

    def make() -> str:
        name, s3 = kit.record(Kind.BUCKET, kit.name("objects")), kit.client("s3")
        elsewhere = {} if kit.region == "us-east-1" else {"LocationConstraint": kit.region}
        s3.create_bucket(Bucket=name, **({"CreateBucketConfiguration": elsewhere} if elsewhere else {}))
        s3.put_bucket_tagging(Bucket=name, Tagging={"TagSet": kit.tags})
        return name

    return kit.once("bucket", make)


def put(kit: Kit, key: str, body: bytes, **encryption: str) -> str:
    """Put an object unless it exists; return the code of the refusal, or an empty one."""
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    asked: dict[str, Any] = {"Bucket": bucket(kit), "Key": key, "Body": body, **encryption}
    return refusal(kit.client("s3").put_object, **asked, IfNoneMatch="*", ChecksumSHA256=digest)


def put_twice(kit: Kit, key: str, **encryption: str) -> str:
    codes = [put(kit, key, body, **encryption) for body in (b"first", b"second")]
    hold(codes == ["", "PreconditionFailed"], f"answered {codes}")
    s3 = kit.client("s3")
    hold(s3.get_object(Bucket=bucket(kit), Key=key)["Body"].read() == b"first", "the object has changed")
    found = s3.head_object(Bucket=bucket(kit), Key=key, ChecksumMode="ENABLED")
    expected = base64.b64encode(hashlib.sha256(b"first").digest()).decode()
    hold(found.get("ChecksumSHA256") == expected, f"HeadObject says the checksum {found.get('ChecksumSHA256')}")
    return "412 PreconditionFailed; the object and its SHA-256 are the first put's"


@check(
    "put-once",
    "S3 refuses a put with If-None-Match: * with 412 if the object exists, and HeadObject returns its SHA-256.",
    source=CONDITIONAL,
    breaks=TWICE,
)
def put_once(kit: Kit) -> str:
    return put_twice(kit, "once")


@check(
    "put-once-kms",
    "The same holds for objects that are encrypted with a KMS key.",
    source=CONDITIONAL,
    breaks=TWICE,
)
def put_once_kms(kit: Kit) -> str:
    named = {"SSEKMSKeyId": kit.kms_key} if kit.kms_key else {}
    seen = put_twice(kit, "once-kms", ServerSideEncryption="aws:kms", **named)
    head = kit.client("s3").head_object(Bucket=bucket(kit), Key="once-kms")
    hold(head.get("ServerSideEncryption") == "aws:kms", "the object is not encrypted with KMS")
    return seen


@check(
    "put-race",
    "Of conditional puts at the same moment exactly one is carried out; the others get 412, or 409 "
    "(ConditionalRequestConflict), which may be tried again.",
    source=CONDITIONAL,
    breaks=TWICE,
    dollars=0.0005,
    seconds=5.0,
)
def put_race(kit: Kit) -> str:
    answers: Counter[str] = Counter()
    bucket(kit)
    for number in range(ROUNDS):
        start = Barrier(WRITERS)

        def write(writer: int, key: str = f"race-{number}", start: Barrier = start) -> str:
            start.wait()
            return put(kit, key, f"writer {writer}".encode())

        with ThreadPoolExecutor(WRITERS) as pool:
            codes = list(pool.map(write, range(WRITERS)))
        hold(codes.count("") <= 1, f"{codes.count('')} of {WRITERS} puts at once were carried out")
        hold(set(codes) <= {"", *TAKEN}, f"answered {', '.join(sorted({*codes} - {'', *TAKEN}))}")
        hold("" in codes or put(kit, f"race-{number}", b"") == "PreconditionFailed", "no put was carried out")
        answers.update(codes)
    return ", ".join(f"{code or 'carried out'}: {count}" for code, count in sorted(answers.items()))


@check(
    "missing-object",
    "HEAD of a missing object returns 404 if the caller may list the bucket.",
    source="https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html",
    breaks="A worker's first batch fails instead of beginning.",
)
def missing_object(kit: Kit) -> str:
    code = refusal(kit.client("s3").head_object, Bucket=bucket(kit), Key="nothing")
    hold(code == "404", f"answered {code or '200'}")
    return "404"


@check(
    "results-never-change",
    "The policy of the environment's bucket refuses every put of a part without If-None-Match.",
    source="https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html",
    breaks="Who may write to the bucket can change a finished run.",
)
def results_never_change(kit: Kit) -> str:
    table = kit.record(Kind.RESULTS, kit.name("bucket"))
    part = LISTING.layout(PREFIX, table, "verify").part(0, 0)
    asked: dict[str, Any] = {"Bucket": kit.deployment.bucket, "Key": part, "Body": b""}
    s3 = kit.client("s3")
    if code := refusal(s3.put_object, **asked, IfNoneMatch="*"):
        raise NotTriedError(f"a put with If-None-Match was refused as well: {code}")
    code = refusal(s3.put_object, **asked)
    hold(code == "AccessDenied", f"a put without If-None-Match: {code or 'it was carried out'}")
    return "AccessDenied without If-None-Match, carried out with it"
