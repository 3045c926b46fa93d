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
from verify.checks.functions import refusal
from verify.errors import NotTriedError
from verify.kit import Kit

CONDITIONAL = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html"
CHECKSUMS = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html"
TWICE = "A batch that runs twice puts its keys twice."
WRITERS, ROUNDS = 8, 10
TAKEN = {"PreconditionFailed", "ConditionalRequestConflict"}


def key_of(kit: Kit, name: str) -> str:
    """Return a key in the environment's bucket, beside the results of the kit's tables."""
    return f"{PREFIX}/{kit.named('objects')}/{name}"


def put(kit: Kit, key: str, body: bytes, **encryption: str) -> str:
    """Put an object unless it exists; return the code of the refusal, or an empty one."""
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    requested: dict[str, Any] = {"Bucket": kit.deployment.bucket, "Key": key_of(kit, key), "Body": body, **encryption}
    return refusal(kit.client("s3").put_object, **requested, IfNoneMatch="*", ChecksumSHA256=digest)


def put_twice(kit: Kit, key: str, **encryption: str) -> str:
    codes = [put(kit, key, body, **encryption) for body in (b"first", b"second")]
    hold(codes == ["", "PreconditionFailed"], f"answered {codes}")
    s3 = kit.client("s3")
    hold(
        s3.get_object(Bucket=kit.deployment.bucket, Key=key_of(kit, key))["Body"].read() == b"first",
        "the object has changed",
    )
    found = s3.head_object(Bucket=kit.deployment.bucket, Key=key_of(kit, key), ChecksumMode="ENABLED")
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
    head = kit.client("s3").head_object(Bucket=kit.deployment.bucket, Key=key_of(kit, "once-kms"))
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
    "results-never-change",
    "The policy of the environment's bucket refuses every put of a part without If-None-Match.",
    source="https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html",
    breaks="Who may write to the bucket can change a finished run.",
)
def results_never_change(kit: Kit) -> str:
    part = LISTING.layout(PREFIX, kit.named("objects"), "verify").part(0, 0)
    requested: dict[str, Any] = {"Bucket": kit.deployment.bucket, "Key": part, "Body": b""}
    s3 = kit.client("s3")
    if code := refusal(s3.put_object, **requested, IfNoneMatch="*"):
        raise NotTriedError(f"a put with If-None-Match was refused as well: {code}")
    code = refusal(s3.put_object, **requested)
    hold(code == "AccessDenied", f"a put without If-None-Match: {code or 'it was carried out'}")
    return "AccessDenied without If-None-Match, carried out with it"
