"""Which work is neither resumed nor done again."""

from typing import Any

import pytest

from skipscan.errors import InputError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine
from tests.refusal import answered


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
    *, listing: Machine, dynamodb: FakeDynamoDB, name: str, document: Any, field: str, remedy: object, rule: str
) -> None:
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "N"), ("sk", "S"))))
    listing.run({"table": "T-1"})
    listing.planned({"table": "T-1", "dry_run": True}, "dry")
    refused = listing.planned({"table": "T-1", **document}, name, started="2027-01-01T00:00:00Z")
    others = {} if field in {"resume", "the execution's name"} else {"resume": "run-1"}
    answered(refused, InputError, field, document.get(field, name), remedy, rule=rule, **others)
