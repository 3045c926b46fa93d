"""The commit of a batch and the documents of a run, over an S3 that is repeated, raced and refused."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.bucket import Bucket
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import DeniedError, IncompleteRunError, StateError
from skipscan.lines.formats import encoder
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import Failure
from skipscan.loop.results import Results
from skipscan.loop.storage import Part, StoredPart
from skipscan.loop.work import FORM, stamped
from skipscan.pace.bill import Amounts
from tests.fakes.faulty import faulty
from tests.fakes.s3 import FakeS3, s3_error
from tests.refusal import refused

SOURCE = Source("Orders", None, SourceKind.TABLE, (KeyAttribute("id", "S"),), (), ())
LAYOUT = LISTING.layout("skipscan", "Orders", "run-1")
ROOT = LAYOUT.root
PART = f"{ROOT}keys/worker-0007/part-00003.jsonl"
FAILED = [(7, "BatchError"), (7, "DeniedError"), (12, "BatchError")]
LINES = b'{"id": "a"}\n{"id": "b"}\n'


@pytest.fixture
def recorded_s3() -> FakeS3:
    return FakeS3("bucket", page_size=2)


@pytest.fixture
def results(recorded_s3: FakeS3) -> Results:
    return over(recorded_s3, [])


def over(s3: Any, slept: list[float]) -> Results:
    return Results(Bucket(s3, "bucket", sleep=slept.append, random=lambda: 0.5), LAYOUT)


def refusing(*refusals: ClientError) -> Any:
    """Return an S3 that takes a batch's checkpoint and refuses its part."""
    return faulty(FakeS3("bucket"), {"put_object": [None, *refusals]}, "s3")


def puts_of_the_part(s3: Any) -> int:
    return sum(asked["Key"] == PART for asked in s3.asked("put_object"))


def part(*keys: str) -> Part:
    written = Part(encoder(SOURCE, "jsonl"))
    written.write([{"S": key} for key in keys])
    return written


def of(attempt: str) -> dict[str, Any]:
    return stamped({"of": attempt, "ü": 1})


def commit(results: Results, attempt: str, *keys: str, batch: int = 3, worker: int = 7) -> Any:
    return results.commit(worker, batch, part(*keys), of(attempt), attempt)


def test_a_commit_is_a_checkpoint_and_then_the_part_that_points_to_it(results: Results, recorded_s3: FakeS3) -> None:
    assert commit(results, "x", "a", "b") == of("x")
    checkpoint = f"{ROOT}checkpoints/worker-0007/batch-00003-x.json"
    assert recorded_s3.journal == [checkpoint, PART]
    assert recorded_s3.objects[PART].body == LINES
    assert recorded_s3.objects[PART].content_type == "application/x-ndjson"
    digest = hashlib.sha256(LINES).hexdigest()
    sealed = hashlib.sha256(recorded_s3.objects[checkpoint].body).hexdigest()
    assert recorded_s3.objects[PART].metadata == {"attempt": "x", "checkpoint": sealed, "keys": "2", "sha256": digest}
    assert recorded_s3.objects[checkpoint].tags == (("skipscan", "checkpoint"),)
    assert recorded_s3.objects[checkpoint].content_type == "application/json"
    assert results.committed(7, 3) == of("x")
    assert [*results.parts()] == [StoredPart(7, 3, PART, 2, len(LINES), digest, "x", sealed)]


def test_a_late_attempt_adopts_the_committed_batch(results: Results, recorded_s3: FakeS3) -> None:
    commit(results, "x", "a", "b")
    assert commit(results, "y", "other") == of("x")
    assert recorded_s3.objects[PART].body == LINES
    assert recorded_s3.objects[PART].metadata["attempt"] == "x"


@pytest.mark.parametrize(
    ("status", "code", "error"), [(403, "AccessDenied", DeniedError), (500, "Internal", ClientError)]
)
def test_an_s3_that_hides_whether_a_batch_is_committed(status: int, code: str, error: type[Exception]) -> None:
    # As botocore names the answer to a HEAD, which has no body; then that to a GET.
    asked = {"head_object": str(status), "get_object": code}
    s3 = faulty(FakeS3("bucket"), {name: [s3_error(said, status, name)] for name, said in asked.items()}, "s3")
    with pytest.raises(error):
        over(s3, []).committed(7, 3)


def test_an_expired_checkpoint_without_permission_to_list(
    results: Results, recorded_s3: FakeS3, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(results, "x", "a")

    def deny(**_: Any) -> None:
        raise s3_error("AccessDenied", 403, "GetObject")

    monkeypatch.setattr(recorded_s3, "get_object", deny)
    with refused(DeniedError, "S3", rule=r"403 .*batch-00003-x\.json: .*90 days", way="s3:GetObject.*s3:ListBucket"):
        results.committed(7, 3)


def test_a_worker_continues_from_its_last_part(results: Results) -> None:
    for batch in range(4):
        commit(results, f"x{batch}", "a", batch=batch)
    commit(results, "other", "a", batch=9, worker=8)
    assert [(each.worker, each.batch) for each in results.parts()] == [(7, 0), (7, 1), (7, 2), (7, 3), (8, 9)]
    results.storage.put(f"{results.layout.part(7, 3)}.bak", b"")
    assert results.reached(7) == of("x3")


def test_the_progress_that_a_batch_was_committed_with(results: Results) -> None:
    commit(results, "first", "a")
    assert results.of(7, 3) == of("first")
    with refused(IncompleteRunError, "a part of worker 7", rule="was deleted", way="start new work"):
        results.of(7, 4)


def test_the_last_failure_of_each_worker_is_read_back(results: Results) -> None:
    first, second, other = (Failure(worker, 3, "2026-01-01", error, "cause") for worker, error in FAILED)
    assert results.failures() == []
    for failure in (first, other, second):
        results.put_failure(failure)
    assert sorted(results.failures(), key=lambda it: it.worker) == [second, other]


def test_what_attempts_declared_to_consume(results: Results, recorded_s3: FakeS3) -> None:
    results.declare(7, 3, "first", Amounts(20.0, 3.0, 0.25))
    results.declare(7, 4, "second", Amounts(10.0, 0.0, 0.000001))
    results.declare(8, 3, "third", Amounts(1.0))
    assert list(results.declared(7)) == [
        ("first", Amounts(20.0, 3.0, 0.25)),
        ("second", Amounts(10.0, 0.0, 0.000001)),
    ]
    assert {stored.tags for stored in recorded_s3.objects.values()} == {(("skipscan", "checkpoint"),)}, "so it expires"


def test_a_checkpoint_that_expired(results: Results, recorded_s3: FakeS3) -> None:
    commit(results, "x", "a")
    del recorded_s3.objects[f"{ROOT}checkpoints/worker-0007/batch-00003-x.json"]
    with refused(IncompleteRunError, "the checkpoint of batch 3 of worker 7", rule="^does not exist"):
        results.committed(7, 3)


@pytest.mark.parametrize("read", [lambda results: results.committed(7, 3), lambda results: results.reached(7)])
def test_a_checkpoint_that_was_changed_is_not_gone_on_from(
    results: Results, recorded_s3: FakeS3, read: Callable[[Results], object]
) -> None:
    commit(results, "x", "a")
    name = f"{ROOT}checkpoints/worker-0007/batch-00003-x.json"
    recorded_s3.put_object(Bucket="bucket", Key=name, Body=json.dumps(stamped({"of": "x"})).encode())
    with refused(IncompleteRunError, "the checkpoint of batch 3 of worker 7", rule="was changed"):
        read(results)


def test_a_checkpoint_is_written_once(results: Results, recorded_s3: FakeS3) -> None:
    name = f"{ROOT}checkpoints/worker-0007/batch-00003-x.json"
    recorded_s3.put_object(Bucket="bucket", Key=name, Body=b"there before")
    with pytest.raises(RuntimeError, match="checkpoint of batch 3 of worker 7 could not be written"):
        commit(results, "x", "a")
    assert recorded_s3.journal == [name]
    assert recorded_s3.objects[name].body == b"there before"


def test_a_checkpoint_whose_put_was_answered_late_is_the_attempts_own(results: Results, recorded_s3: FakeS3) -> None:
    commit(results, "x", "a")
    del recorded_s3.objects[PART]
    assert commit(results, "x", "a") == of("x")


GONE = s3_error("PreconditionFailed", 412, "PutObject")
CONFLICT = s3_error("ConditionalRequestConflict", 409, "PutObject")


def test_a_part_that_was_there_and_is_gone() -> None:
    slept: list[float] = []
    with refused(IncompleteRunError, "a part of worker 7", rule="was deleted", way="start new work"):
        commit(over(refusing(GONE), slept), "x", "a")
    assert slept == []


def test_conflicts_are_waited_out_for_seconds_and_longer_each_time() -> None:
    s3, slept = refusing(*[CONFLICT] * 7), list[float]()
    assert commit(over(s3, slept), "x", "a") == of("x")
    assert slept == [0.05 * 2**race for race in range(7)]  # half of the longest waits
    assert sum(slept) > 5
    assert puts_of_the_part(s3) == 8


def test_a_put_gives_up_after_endless_conflicts() -> None:
    s3, slept = refusing(*[CONFLICT] * 99), list[float]()
    with pytest.raises(ClientError, match="ConditionalRequestConflict"):
        commit(over(s3, slept), "x", "a")
    assert (puts_of_the_part(s3), len(slept)) == (8, 7)


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [("AccessDenied", 403, DeniedError), ("InternalError", 500, ClientError), ("SlowDown", 503, ClientError)],
)
def test_a_put_that_is_refused_is_left_to_the_state_machine(code: str, status: int, error: type[Exception]) -> None:
    s3, slept = refusing(s3_error(code, status, "PutObject")), list[float]()
    with pytest.raises(error):
        commit(over(s3, slept), "x", "a")
    assert (puts_of_the_part(s3), slept) == (1, [])


@pytest.mark.parametrize("document", ["plan", "manifest"])
def test_a_document_that_was_there_and_is_gone(document: str) -> None:
    s3 = faulty(FakeS3("bucket"), {"put_object": [GONE]}, "s3")
    with pytest.raises(RuntimeError, match=rf"{document}.json was deleted: never delete results"):
        getattr(over(s3, []), f"put_{document}")({"name": "run-1"})


@pytest.mark.parametrize("document", ["plan", "manifest"])
def test_a_document_is_put_once_and_never_replaced(results: Results, recorded_s3: FakeS3, document: str) -> None:
    put, read = getattr(results, f"put_{document}"), getattr(results, document)
    assert read() is None
    first = stamped({"made": "first", "ü": 1})
    assert put(first) is first
    assert put(stamped({"made": "second"})) == first
    assert read() == first
    stored = recorded_s3.objects[f"{ROOT}{document}.json"]
    assert (json.loads(stored.body), stored.content_type) == (first, "application/json")
    assert stored.body.decode() == json.dumps(first, indent=2, ensure_ascii=False)


def test_the_progress_of_an_unfinished_run_is_rewritten(results: Results, recorded_s3: FakeS3) -> None:
    for segments_left in (5, 3):
        results.put_unfinished({"segments_left": segments_left})
    assert json.loads(recorded_s3.objects[f"{ROOT}unfinished.json"].body) == {"segments_left": 3}
    assert results.manifest() is None


def test_an_object_that_is_no_part_belongs_to_no_worker(results: Results, recorded_s3: FakeS3) -> None:
    recorded_s3.put_object(Bucket="bucket", Key=f"{ROOT}keys/worker-x/notes.txt", Body=b"abc")
    assert [*results.parts()] == [StoredPart(-1, -1, f"{ROOT}keys/worker-x/notes.txt", 0, 3, "", "")]


@pytest.mark.parametrize("document", ["plan", "manifest"])
def test_a_document_of_another_version_is_refused_and_not_read(
    results: Results, recorded_s3: FakeS3, document: str
) -> None:
    recorded_s3.put_object(Bucket="bucket", Key=f"{ROOT}{document}.json", Body=json.dumps({"form": FORM + 1}).encode())
    with refused(StateError, f"the {document} of run-1", rule=rf"^has form {FORM + 1}, and this version .* {FORM}$"):
        getattr(results, document)()
    assert getattr(results, f"stored_{document}")() == {"form": FORM + 1}


def test_the_report_has_an_address_once_it_is_there(results: Results, recorded_s3: FakeS3) -> None:
    manifest = {"execution": "arn:aws:states:us-east-1:123456789012:execution:m:run-1"}
    assert results.report(manifest) is None
    recorded_s3.put_object(Bucket="bucket", Key=f"{ROOT}report.html", Body=b"<html>")
    assert results.report(manifest) == results.report_link(manifest)
    assert results.report(None) is None


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"parts": []},
        {"parts": [{"name": "a"}, {"name": "ü", "keys": 1}], "n": 1},
        {
            "note": '\n  "parts": []',
            "parts": [{"name": '\n  "note": []'}],
            "counts": {"parts": []},
            "names": ["a", "b"],
        },
        {"one": [{"two": []}], "two": [{"one": [{}]}]},
    ],
)
def test_a_document_is_whole_whatever_it_holds(results: Results, recorded_s3: FakeS3, document: dict[str, Any]) -> None:
    results.put_unfinished(document)
    text = recorded_s3.objects[f"{ROOT}unfinished.json"].body.decode()
    assert list(json.loads(text).items()) == list(document.items())
    for part in document.get("parts", []):
        assert f"\n    {json.dumps(part, ensure_ascii=False)}" in text  # a line for each
