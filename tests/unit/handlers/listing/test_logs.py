"""The log of the functions: one line for each event of a run, with what an operator needs."""

import json
from contextlib import suppress
from typing import Any, cast

import pytest
from aws_lambda_powertools import Logger

from skipscan.aws import function
from skipscan.aws.function import Function
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import CONTEXT, Machine

ORDERS = {"table": "Orders", "segments": 1}


@pytest.fixture(autouse=True)
def nine_items(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("pk", "N"), ("sk", "S"))),
        ({"pk": {"N": str(pk)}, "sk": {"S": "0"}, "body": {"B": bytes(3000)}} for pk in range(9)),
    )


def test_the_reasons_of_a_thousand_workers_fit_into_the_state(
    listing: Machine, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a permission that was removed, the sentences of all would take more than its 256 KiB."""
    planned = listing.planned({**ORDERS, "segments": 8, "workers": 2})
    dynamodb.remove("Orders")
    monkeypatch.setattr(function, "WHOLE_CAUSES", 1)
    whole, cut = (listing.turn(planned, worker, None)["report"] for worker in range(2))
    assert whole["ended_by"][: len(cut["ended_by"])] == cut["ended_by"]
    longest = len(json.dumps(whole)) - len(whole["ended_by"]) + 335
    assert 100 * longest + 900 * len(json.dumps(cut)) < 256 * 1024
    assert whole["ended_by"] in listing.finished(planned, [cut, whole])["cause"]


def test_a_line_has_no_field_of_an_earlier_invocation() -> None:
    logger, nothing = Logger(service="skipscan"), cast("Any", None)
    function = Function(nothing, nothing, nothing, nothing, logger, nothing)
    logger.append_keys(run="monday")
    function.handler(lambda event, context: {})({}, cast("Any", CONTEXT))
    fields = logger.get_current_keys()
    assert fields["function_request_id"] == CONTEXT.aws_request_id
    assert "run" not in fields


@pytest.mark.parametrize("bounds", [{"between": ["0", "0-canary"]}, {"since": {"X": "canary"}}, {"prefix": "canary"}])
def test_no_line_shows_the_ends_of_a_range(
    listing: Machine, caplog: pytest.LogCaptureFixture, bounds: dict[str, Any]
) -> None:
    with suppress(AssertionError, ValueError):  # a refusal ends the execution
        listing.run({**ORDERS, **bounds, "take": {"items": "all"}})
    assert "plan" in caplog.records[0].getMessage()
    assert not [record for record in caplog.records if "canary" in str(vars(record))]
