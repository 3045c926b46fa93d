"""What AWS adds to an input, or sends in its place."""

from collections.abc import Callable
from typing import Any

import pytest

from skipscan.act.input import parse_action
from skipscan.copy.input import parse_copy
from skipscan.errors import InputError
from skipscan.listing.execution_input import parse
from skipscan.retrofit.input import parse_retrofit
from tests.refusal import refused

PARENT = {"AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID": "arn:aws:states:us-east-1:111111111111:execution:parent:1"}
EVENT = {"version": "0", "id": "1", "detail-type": "Scheduled Event", "source": "aws.events", "detail": {}}
PARSERS: list[tuple[Callable[[object], Any], dict[str, Any]]] = [
    (parse, {"table": "Orders"}),
    (parse_action, {"table": "Orders", "run": "nightly", "delete_item": {"key": {"sk": "#static"}}}),
    (parse_retrofit, {"table": "Orders", "set": {"a": "{b}"}}),
    (parse_copy, {"table": "Orders", "to": "Orders-2"}),
]


@pytest.mark.parametrize(("parser", "document"), PARSERS)
def test_an_input_may_name_the_execution_that_started_it(
    parser: Callable[[object], Any], document: dict[str, Any]
) -> None:
    assert parser({**document, **PARENT}) == parser(document)


@pytest.mark.parametrize(("parser", "document"), PARSERS)
def test_what_aws_sends_in_place_of_an_input_is_named(
    parser: Callable[[object], Any], document: dict[str, Any]
) -> None:
    with refused(InputError, "the input", rule="EventBridge rule", way="constant"):
        parser(EVENT)
    with refused(InputError, "the input", rule="example of the Step Functions console", way="write"):
        parser({"Comment": "Insert your JSON here"})
