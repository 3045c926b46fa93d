"""A budget holds even if attempts are lost, a permanent refusal costs nothing, and the bill has every execution."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from skipscan.errors import BatchError, DeniedError
from skipscan.loop.results import Results
from skipscan.pace.bill import around
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import Faulty
from tests.fakes.handlers.execution import Machine
from tests.fakes.s3 import s3_error
from tests.refusal import failed, refused

BUDGET = 40.0
WORKERS = 8
STATUS = {"AccessDenied": 403, "KMS.DisabledException": 400, "NoSuchBucket": 404, "SlowDown": 503}


@pytest.fixture
def counting(listing: Machine, dynamodb: FakeDynamoDB) -> Faulty:
    definition = TableDefinition("T-1", KeySchema.of(("pk", "N"), ("sk", "N")))
    items: Iterator[dict[str, Any]] = (
        {"pk": {"N": f"{pk}"}, "sk": {"N": "0"}, "body": {"B": bytes(3000)}} for pk in range(400)
    )
    dynamodb.add(definition, items)
    counting = Faulty(dynamodb)
    listing.worker.dynamodb = counting
    return counting


def read_units(counting: Faulty) -> float:
    return sum(float(call.answer["ConsumedCapacity"]["CapacityUnits"]) for call in counting.calls)


def refusing(listing: Machine, refused: Callable[[str], bool], code: str) -> None:
    """Let S3 refuse the puts of some objects."""
    put = listing.s3.put_object

    def refuse(**asked: Any) -> Any:
        if refused(asked["Key"]):
            raise s3_error(code, STATUS[code], "PutObject")
        return put(**asked)

    listing.s3.put_object = refuse  # type: ignore[method-assign]


def test_a_resume_with_a_budget_counts_what_was_lost_before_there_was_one(listing: Machine, counting: Faulty) -> None:
    """Without a budget no attempt declares an allotment; those that fail declare what they consumed."""
    put = listing.s3.put_object
    refusing(listing, lambda name: "/keys/" in name, "SlowDown")
    planned = listing.planned({"table": "T-1", "workers": 1})
    for _ in range(12):
        with failed(BatchError, "PutObject with SlowDown"):
            listing.turn(planned, 0, None)
    listing.s3.put_object = put  # type: ignore[method-assign]
    lost = read_units(counting)
    assert lost > BUDGET
    resumed = listing.planned({"table": "T-1", "resume": "run-1", "max_read_units": BUDGET}, name="run-2")
    assert listing.ended(resumed)["error"] == "BudgetError"
    assert read_units(counting) == lost
    assert listing.run({"table": "T-1", "resume": "run-1"}, "run-3")["keys"] == 400


@pytest.mark.parametrize(
    ("code", "way"),
    [("AccessDenied", "s3:PutObject"), ("KMS.DisabledException", "kms:GenerateDataKey"), ("NoSuchBucket", "deploy")],
)
def test_a_worker_without_write_permission_ends_at_once_and_reads_nothing(
    listing: Machine, counting: Faulty, code: str, way: str
) -> None:
    refusing(listing, lambda name: "/allotments/" in name, code)
    planned = listing.planned({"table": "T-1", "max_read_units": BUDGET})
    with refused(DeniedError, "S3", rule=f"{STATUS[code]} for s3://results/", way=way):
        listing.turn(planned, 0, None)
    assert read_units(counting) == 0


def test_a_batch_that_another_attempt_commits_before_its_budget_is_declared_is_adopted_and_reads_nothing(
    listing: Machine, counting: Faulty, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = listing.planned({"table": "T-1", "segments": 3, "workers": 1, "max_read_units": 1000})
    declare, earlier = Results.declare, list[Any]()

    def late(results: Results, *asked: Any, **named: Any) -> Any:
        monkeypatch.setattr(Results, "declare", declare)
        earlier.append(listing.turn(planned, 0, None))
        return declare(results, *asked, **named)

    monkeypatch.setattr(Results, "declare", late)
    assert [listing.turn(planned, 0, None)] == earlier
    assert read_units(counting) == earlier[0]["counts"]["read_units"]


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("resumes", [0, 1, 5])
def test_every_execution_is_in_the_bill(listing: Machine, resumes: int) -> None:
    invocations = transitions = 0

    def execution(number: int, *, finishes: bool = True) -> dict[str, Any]:
        """Carry out an execution, whose workers may all have ended before."""
        nonlocal invocations, transitions
        asked = {"resume": "run-0"} if number else {"workers": WORKERS, "segments": WORKERS}
        planned = listing.planned({"table": "T-1", **asked}, f"run-{number}")
        turns = {worker: list(listing.turns(planned, worker)) for worker in planned["workers"]}
        made = sum(map(len, turns.values()))
        invocations += made + 1 + finishes
        transitions += 2 * made + len(turns) + 8
        return listing.finished(planned, [each[-1]["report"] for each in turns.values()]) if finishes else {}

    for number in range(resumes):
        execution(number, finishes=False)
    output = execution(resumes)
    assert output["keys"] == 400
    manifest = listing.read("skipscan/T-1/runs/run-0/manifest.json")
    services = json.loads(manifest)["services"]
    assert services["invocations"] == pytest.approx(invocations, rel=0.15)
    assert services["transitions"] == pytest.approx(transitions, rel=0.15)
    assert services["invocations"] >= invocations
    assert services["gb_seconds"] > (resumes + 1) * around(0, 0).gb_seconds


@pytest.mark.usefixtures("counting")
def test_a_plan_that_is_tried_again_is_one_resume(listing: Machine) -> None:
    listing.planned({"table": "T-1", "workers": 2}, "run-0")
    for _ in range(3):
        listing.planned({"table": "T-1", "resume": "run-0"}, "run-1")
    assert len(listing.objects("/resumes/")) == 1
    refused = listing.planned({"table": "T-1", "resume": "run-0", "max_dollars": 0.0001}, "run-2")
    assert refused["error"] == "InputError"
    assert len(listing.objects("/resumes/")) == 1
