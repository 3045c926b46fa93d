"""Crashes, repeats and latecomers between and within turns: every key in the result once, or no result."""

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Interrupted
from tests.handlers.execution import BUCKET, Job

KEYS = 40


@pytest.fixture(autouse=True)
def table(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(
        TableDefinition("T-1", KeySchema.of(("pk", "N"), ("sk", "S"))),
        (
            {"pk": {"N": str(pk)}, "sk": {"S": f"{sk}"}, "body": {"B": bytes(3000)}}
            for pk in range(KEYS)
            for sk in range(3)
        ),
    )


def assert_complete(job: Job, output: dict[str, Any]) -> None:
    assert output.get("keys") == KEYS, output
    assert sorted(line["pk"] for line in job.lines()) == list(range(KEYS))


def crash(*_: object, **__: object) -> None:
    raise ConnectionError("crashed here")


def test_a_retry_after_a_lost_answer_adopts_the_part(job: Job) -> None:
    planned = job.planned({"table": "T-1", "segments": 2})
    first = job.turn(planned, 0, None)
    again = job.turn(planned, 0, None)
    assert again == first
    assert len(job.objects("/keys/")) == 1


def test_a_crash_before_the_part_leaves_only_a_checkpoint_that_means_nothing(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = job.planned({"table": "T-1", "segments": 2})
    with monkeypatch.context() as patched:
        patched.setattr("skipscan.aws.results.Results._put_once", crash)
        with pytest.raises(ConnectionError):
            job.turn(planned, 0, None)
    assert (len(job.objects("/keys/")), len(job.objects("/checkpoints/"))) == (0, 1)
    report = list(job.turns(planned, 0))[-1]["report"]
    assert_complete(job, job.finished(planned, [report]))


@pytest.fixture
def late(job: Job, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any], int], dict[str, Any]]:
    """A first turn whose attempt began, and looked for a committed part, before the attempt that won."""

    def turn(planned: dict[str, Any], worker: int) -> dict[str, Any]:
        results = job.scan.Results
        look, looks = results.committed, iter([None])
        with monkeypatch.context() as patched:
            patched.setattr(results, "committed", lambda *place: next(looks, look(*place)))
            return job.turn(planned, worker, None)

    return turn


def test_a_latecomer_adopts_what_was_committed_before_it(job: Job, late: Callable[..., Any]) -> None:
    planned = job.planned({"table": "T-1", "segments": 2})
    first = job.turn(planned, 0, None)
    assert late(planned, 0) == first
    assert (len(job.objects("/keys/")), len(job.objects("/checkpoints/"))) == (1, 2)


def test_nothing_can_be_added_to_a_worker_that_is_done(
    job: Job, dynamodb: FakeDynamoDB, late: Callable[..., Any]
) -> None:
    """The last batch found no keys; a latecomer finds one that was written meanwhile, and comes too late with it."""
    dynamodb.add(TableDefinition("Quiet", KeySchema.of(("pk", "S"), ("sk", "S"))))
    planned = job.planned({"table": "Quiet", "segments": 1})
    (done,) = job.turns(planned, 0)
    dynamodb.table("Quiet").put({"pk": {"S": "new"}, "sk": {"S": "new"}})
    assert late(planned, 0) == done
    assert job.finished(planned, [done["report"]])["keys"] == 0
    assert job.lines() == []


def test_a_failed_page_ends_the_batch_and_loses_nothing(job: Job, dynamodb: FakeDynamoDB) -> None:
    lost = ClientError({"Error": {"Code": "InternalServerError", "Message": ""}}, "Scan")
    job.scan.dynamodb = Interrupted(dynamodb, iter([None, lost] * 200))  # type: ignore[attr-defined]
    planned = job.planned({"table": "T-1", "segments": 3})
    reports = []
    for worker in planned["workers"]:
        progress = None
        while progress is None or not progress["done"]:
            try:
                progress = job.turn(planned, worker, progress)
            except ClientError:  # what Step Functions retries
                continue
        reports.append(progress["report"])
    assert_complete(job, job.finished(planned, reports))


def test_a_repeated_plan_stands_as_it_was_first_made(job: Job, dynamodb: FakeDynamoDB) -> None:
    first = job.planned({"table": "T-1", "segments": 5})
    again = job.planned({"table": "T-1", "segments": 9})
    assert again == first


def test_a_run_of_the_same_name_is_refused(job: Job) -> None:
    job.run({"table": "T-1"})
    refused = job.planned({"table": "T-1"}, started="2027-01-01T00:00:00Z")
    assert refused["error"] == "InputError"
    assert "under another name" in refused["cause"]


def test_finish_may_be_repeated(job: Job) -> None:
    planned = job.planned({"table": "T-1"})
    reports = [list(job.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]
    assert job.finished(planned, reports) == job.finished(planned, reports)


@pytest.mark.parametrize("mischief", ["part gone", "part foreign", "count wrong", "report missing", "segments left"])
def test_finish_writes_no_manifest_for_a_run_that_is_not_whole(job: Job, mischief: str) -> None:
    planned = job.planned({"table": "T-1", "segments": 4, "workers": 2})
    turns = [list(job.turns(planned, worker)) for worker in planned["workers"]]
    reports = [own[-1]["report"] for own in turns]
    name = job.objects("/keys/worker=0001/")[0]
    if mischief == "part gone":
        job.s3.delete_object(Bucket=BUCKET, Key=name)
    elif mischief == "part foreign":
        job.s3.put_object(Bucket=BUCKET, Key=name.replace("worker=0001", "worker=0002"), Body=b"")
    elif mischief == "count wrong":
        reports[0]["keys"] += 1
    elif mischief == "report missing":
        del reports[1]
    elif mischief == "segments left":
        job.s3.delete_object(Bucket=BUCKET, Key=job.objects("/keys/worker=0001/")[-1])
    refused = job.finished(planned, reports)
    assert refused["error"] == "IncompleteRunError"
    assert job.objects("manifest") == []
