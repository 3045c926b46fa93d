"""A run that stopped: no manifest, an error with a way out, and a resume that pays for nothing twice."""

from typing import Any

import pytest

from skipscan.errors import IncompleteRunError, InputError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.refusal import answered, refused

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


RESUME = {"table": "T-1", "resume": "run-1"}


def test_a_run_whose_checkpoints_expired_says_so(listing: Machine) -> None:
    planned = listing.planned({"table": "T-1", "segments": 3})
    listing.turn(planned, 0, None)
    for name in listing.objects("/checkpoints/"):
        listing.s3.delete_object(Bucket=BUCKET, Key=name)
    with refused(IncompleteRunError, "the checkpoint of batch 0 of worker 0", rule="90 days"):
        listing.run(RESUME, name="another")


@pytest.mark.parametrize(
    ("name", "document", "field", "remedy", "rule"),
    [
        ("run-1", {}, "the execution's name", {"resume": "run-1"}, "earlier run"),
        ("new", {"resume": "nobody"}, "resume", "resume", 'table "T-1" has no run'),
        ("new", {"resume": "run-1"}, "resume", "resume", "complete"),
        ("new", {"resume": "dry"}, "resume", {"dry_run": False}, "a dry run$"),
        ("new", {"resume": "run-1", "segments": 3}, "segments", "segments", "plan"),
    ],
)
def test_what_is_not_stopped_is_neither_resumed_nor_done_again(
    *, listing: Machine, name: str, document: dict[str, Any], field: str, remedy: object, rule: str
) -> None:
    listing.run({"table": "T-1"})
    listing.planned({"table": "T-1", "dry_run": True}, "dry")
    refused = listing.planned({"table": "T-1", **document}, name, started="2027-01-01T00:00:00Z")
    others = {} if field in {"resume", "the execution's name"} else {"resume": "run-1"}
    answered(refused, InputError, field, document.get(field, name), remedy, rule=rule, **others)
