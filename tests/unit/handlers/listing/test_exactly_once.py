"""Crashes, repeats and latecomers between and within turns: every key in the result once, or no result."""

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import islice, repeat
from random import Random
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from skipscan.aws.bucket import Bucket
from skipscan.errors import BatchError, DeniedError, IncompleteRunError, InputError
from skipscan.loop.results import Results
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Client, Interrupted
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.odd_pages import Cut, ShortPages, Vanished
from tests.refusal import answered, failed, refused

pytestmark = pytest.mark.slow

KEYS = 40


@pytest.fixture(autouse=True)
def numbered_collections(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(
        TableDefinition("T-1", KeySchema.of(("pk", "N"), ("sk", "S"))),
        (
            {"pk": {"N": str(pk)}, "sk": {"S": f"{sk}"}, "body": {"B": bytes(3000)}}
            for pk in range(KEYS)
            for sk in range(3)
        ),
    )


def assert_complete(listing: Machine, output: dict[str, Any]) -> None:
    assert output.get("keys") == KEYS, output
    assert sorted(line["pk"] for line in listing.lines()) == list(range(KEYS))


def crash(*_: object, **__: object) -> None:
    raise ConnectionError("crashed here")


def test_a_retry_after_a_lost_answer_adopts_the_part(listing: Machine) -> None:
    planned = listing.planned({"table": "T-1", "segments": 2})
    first = listing.turn(planned, 0, None)
    second = listing.turn(planned, 0, first)
    assert listing.turn(planned, 0, first) == second
    assert len(listing.objects("/keys/")) == 2


def test_a_first_turn_continues_from_the_results_on_s3(listing: Machine) -> None:
    planned = listing.planned({"table": "T-1", "segments": 2})
    first = listing.turn(planned, 0, None)
    second = listing.turn(planned, 0, None)
    assert (first["batch"], second["batch"]) == (1, 2)
    report = list(listing.turns(planned, 0))[-1]["report"]
    assert_complete(listing, listing.finished(planned, [report]))


def test_a_crash_before_the_part_leaves_only_a_checkpoint_that_means_nothing(
    listing: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = listing.planned({"table": "T-1", "segments": 2})
    put_once = Bucket.put_once

    def put(self: Bucket, name: str, *rest: Any, **others: Any) -> bool:
        if "/keys/" in name:
            crash()
        return put_once(self, name, *rest, **others)

    with monkeypatch.context() as patched:
        patched.setattr(Bucket, "put_once", put)
        with failed(BatchError, "ConnectionError"):
            listing.turn(planned, 0, None)
    assert (len(listing.objects("/keys/")), len(listing.objects("/checkpoints/"))) == (0, 1)
    report = list(listing.turns(planned, 0))[-1]["report"]
    assert_complete(listing, listing.finished(planned, [report]))


@pytest.fixture
def late(listing: Machine, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any], int], dict[str, Any]]:
    """A first turn whose attempt began, and looked for a committed part, before the attempt that won."""

    def turn(planned: dict[str, Any], worker: int) -> dict[str, Any]:
        results = Results
        look, looks = results.committed, iter([None])
        with monkeypatch.context() as patched:
            patched.setattr(results, "reached", lambda *worker: None)
            patched.setattr(results, "committed", lambda *place: next(looks, look(*place)))
            return listing.turn(planned, worker, None)

    return turn


def test_a_latecomer_adopts_what_was_committed_before_it(listing: Machine, late: Callable[..., Any]) -> None:
    planned = listing.planned({"table": "T-1", "segments": 2})
    first = listing.turn(planned, 0, None)
    assert late(planned, 0) == first
    assert (len(listing.objects("/keys/")), len(listing.objects("/checkpoints/"))) == (1, 2)


def test_nothing_can_be_added_to_a_worker_that_is_done(
    listing: Machine, dynamodb: FakeDynamoDB, late: Callable[..., Any]
) -> None:
    """The last batch found no keys; a latecomer finds one that was written meanwhile, and comes too late with it."""
    dynamodb.add(TableDefinition("Quiet", KeySchema.of(("pk", "S"), ("sk", "S"))))
    planned = listing.planned({"table": "Quiet", "segments": 1})
    (done,) = listing.turns(planned, 0)
    dynamodb.table("Quiet").put({"pk": {"S": "new"}, "sk": {"S": "new"}})
    assert late(planned, 0) == done
    assert listing.finished(planned, [done["report"]])["keys"] == 0
    assert listing.lines() == []


def refusal(code: str, status: int, *reasons: str) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": ""},
        "ResponseMetadata": {"HTTPStatusCode": status},
        "ThrottlingReasons": [{"reason": reason} for reason in reasons],
    }
    return ClientError(response, "Scan")


@pytest.mark.second_page("skipscan.aws.table:Table.ask")
@pytest.mark.parametrize(
    ("error", "throttles"),
    [
        (refusal("InternalServerError", 500), False),
        (refusal("AccessDeniedException", 400), False),
        (refusal("ThrottlingException", 400, "TableReadKeyRangeThroughputExceeded"), True),
        (refusal("ProvisionedThroughputExceededException", 400, "TableReadProvisionedThroughputExceeded"), True),
        (ReadTimeoutError(endpoint_url="http://localhost"), False),
    ],
    ids=str,
)
def test_failed_pages_lose_nothing(listing: Machine, dynamodb: FakeDynamoDB, error: Exception, throttles: bool) -> None:
    """Every second request fails, so batches end early or walks wait, and Step Functions tries again."""
    function: Any = listing.worker.function
    function.dependencies = replace(function.dependencies, random=lambda: 0.0)
    listing.worker.dynamodb = Interrupted(dynamodb, iter([None, error] * 400))  # type: ignore[attr-defined]
    planned = listing.planned({"table": "T-1", "segments": 3})
    progress = None
    while progress is None or not progress["done"]:
        with contextlib.suppress(ClientError, DeniedError):
            progress = listing.turn(planned, 0, progress)
    assert_complete(listing, listing.finished(planned, [progress["report"]]))
    assert (progress["counts"]["throttles"] > 0) is throttles


@pytest.mark.parametrize(
    "odd",
    [
        lambda dynamodb: Cut(dynamodb, 2),
        lambda dynamodb: Cut(dynamodb, 1, ("Items",)),
        lambda dynamodb: ShortPages(dynamodb, Random(5)),
        lambda dynamodb: Vanished(dynamodb, lambda item: item["sk"]["S"] != "1"),
    ],
    ids=["cut off", "cut off behind its items", "short or empty", "of items that vanish"],
)
def test_odd_answers_lose_nothing(
    listing: Machine, dynamodb: FakeDynamoDB, odd: Callable[[FakeDynamoDB], Client]
) -> None:
    function: Any = listing.worker.function
    function.dependencies = replace(function.dependencies, random=lambda: 0.0)
    planned = listing.planned({"table": "T-1", "segments": 3})
    listing.worker.dynamodb = odd(dynamodb)  # type: ignore[attr-defined]
    progress = None
    while progress is None or not progress["done"]:
        with contextlib.suppress(BatchError):  # of a batch whose every answer was cut off; Step Functions tries again
            progress = listing.turn(planned, 0, progress)
    assert_complete(listing, listing.finished(planned, [progress["report"]]))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_budget_stops_a_run_that_can_be_resumed_without_paying_twice(listing: Machine, workers: int) -> None:
    whole = listing.run({"table": "T-1", "segments": 12, "workers": workers}, name="whole")
    budget = whole["read_units"] / 2
    stopped = listing.run(
        {"table": "T-1", "segments": 12, "workers": workers, "max_read_units": budget}, name="stopped"
    )
    assert stopped["error"] == "BudgetError"
    assert '"resume": "stopped"' in stopped["cause"]
    unfinished = json.loads(listing.read("skipscan/T-1/runs/stopped/unfinished.json"))
    assert (unfinished["complete"], unfinished["segments_left"] > 0) == (False, True)
    assert budget - 0.5 < unfinished["read_units"] <= budget
    assert listing.objects("stopped/manifest") == []

    more = listing.run({"table": "T-1", "resume": "stopped", "max_read_units": budget + 2}, name="little more")
    assert more["error"] == "BudgetError"  # the budget is the run's total, and no addition
    again = json.loads(listing.read("skipscan/T-1/runs/stopped/unfinished.json"))
    assert budget + 1.5 < again["read_units"] <= budget + 2

    resumed = listing.run({"table": "T-1", "resume": "stopped"}, name="another")
    assert (resumed["run"], resumed["keys"]) == ("stopped", KEYS)
    assert resumed["read_units"] <= whole["read_units"] + workers * 16 * 1.0
    lines = [line["pk"] for line in listing.lines("/stopped/")]
    assert sorted(lines) == list(range(KEYS))


RESUME = {"table": "T-1", "resume": "run-1"}


@pytest.mark.parametrize("turns", [0, 1, 2, 99])
def test_a_run_that_was_stopped_anywhere_can_be_resumed(listing: Machine, turns: int) -> None:
    """Between Plan and Finish, with one worker ahead of the other."""
    planned = listing.planned({"table": "T-1", "segments": 6, "workers": 2})
    list(islice(listing.turns(planned, 0), turns))
    before = listing.objects("/keys/")
    resumed = listing.run(RESUME, name="another")
    assert (resumed["run"], set(before) <= set(listing.objects("/keys/"))) == ("run-1", True)
    assert_complete(listing, resumed)


def test_a_resumed_run_takes_nothing_from_an_execution_that_is_still_at_work(listing: Machine) -> None:
    """Two executions take turns at one worker; each adopts what the other committed, and both come to the same end."""
    begun = listing.planned({"table": "T-1", "segments": 3})
    first = listing.turn(begun, 0, None)
    resumed = listing.planned(RESUME, name="another")
    again = listing.planned(RESUME, name="a third")
    turns = [first, None, None]
    while any(turn is None or not turn["done"] for turn in turns):
        turns = [listing.turn(planned, 0, turn) for planned, turn in zip((begun, resumed, again), turns, strict=True)]
    ends = zip((begun, resumed, again), turns, strict=True)
    outputs = [listing.finished(planned, [turn["report"]]) for planned, turn in ends if turn]
    assert outputs[0] == outputs[1] == outputs[2]
    assert_complete(listing, outputs[0])


def test_a_run_whose_last_step_alone_failed_is_resumed_without_a_page(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    planned = listing.planned({"table": "T-1", "segments": 3})
    list(listing.turns(planned, 0))
    listing.worker.dynamodb = Interrupted(dynamodb, repeat(AssertionError("a page was asked for")))  # type: ignore[attr-defined]
    assert_complete(listing, listing.run(RESUME, name="another"))


def test_a_dry_run_is_not_resumed_but_started(listing: Machine) -> None:
    keys = listing.planned({"table": "T-1", "dry_run": True})["explanation"]["keys"]
    assert keys["low"] <= KEYS <= keys["high"]
    cause = listing.planned(RESUME, name="another")["cause"]
    assert cause.startswith('resume is "run-1"; that was a dry run')


def test_a_run_whose_checkpoints_expired_says_so(listing: Machine) -> None:
    planned = listing.planned({"table": "T-1", "segments": 3})
    listing.turn(planned, 0, None)
    for name in listing.objects("/checkpoints/"):
        listing.s3.delete_object(Bucket=BUCKET, Key=name)
    with refused(IncompleteRunError, "the checkpoint of batch 0 of worker 0", rule="90 days"):
        listing.run(RESUME, name="another")


def test_a_run_that_does_not_exist_or_is_complete_cannot_be_resumed(listing: Machine) -> None:
    answered(listing.planned({"table": "T-1", "resume": "nobody"}), InputError, "resume", "nobody", "resume")
    listing.run({"table": "T-1"}, name="whole")
    whole = {"table": "T-1", "resume": "whole"}
    answered(listing.planned(whole), InputError, "resume", "whole", "resume", rule="complete")
    refused = listing.planned({**whole, "segments": 3})
    answered(refused, InputError, "segments", 3, "segments", rule="plan", resume="whole")


def test_a_repeated_plan_keeps_the_first_one(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    first = listing.planned({"table": "T-1", "segments": 5})
    again = listing.planned({"table": "T-1", "segments": 9})
    assert again == first


def test_a_run_of_the_same_name_is_refused(listing: Machine) -> None:
    listing.run({"table": "T-1"})
    refused = listing.planned({"table": "T-1"}, started="2027-01-01T00:00:00Z")
    assert refused["error"] == "InputError"
    assert "with another name" in refused["cause"]


def test_finish_may_be_repeated(listing: Machine) -> None:
    planned = listing.planned({"table": "T-1"})
    reports = [list(listing.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]
    assert listing.finished(planned, reports) == listing.finished(planned, reports)


@pytest.mark.parametrize("mischief", ["part gone", "part foreign", "count wrong", "report missing", "segments left"])
def test_finish_writes_no_manifest_for_a_run_that_is_not_whole(listing: Machine, mischief: str) -> None:
    planned = listing.planned({"table": "T-1", "segments": 4, "workers": 2})
    turns = [list(listing.turns(planned, worker)) for worker in planned["workers"]]
    reports = [own[-1]["report"] for own in turns]
    name = listing.objects("/keys/worker-0001/")[0]
    if mischief == "part gone":
        listing.s3.delete_object(Bucket=BUCKET, Key=name)
    elif mischief == "part foreign":
        listing.s3.put_object(Bucket=BUCKET, Key=name.replace("worker-0001", "worker-0002"), Body=b"")
    elif mischief == "count wrong":
        reports[0]["keys"] += 1
    elif mischief == "report missing":
        del reports[1]
    elif mischief == "segments left":
        listing.s3.delete_object(Bucket=BUCKET, Key=listing.objects("/keys/worker-0001/")[-1])
    refused = listing.finished(planned, reports)
    assert refused["error"] == "IncompleteRunError"
    assert listing.objects("manifest") == []
