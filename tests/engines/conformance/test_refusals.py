"""Requests that the service refuses, so that our own mistakes do not pass the tests."""

from typing import Any

import pytest

from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.refusal import refused

TEXT = {"S": "text"}
TABLE_KEY = {"pk": TEXT, "sk": TEXT}


WRONG: dict[str, dict[str, Any]] = {
    "start-key-empty": {"ExclusiveStartKey": {}},
    "start-key-lacks-sort-key": {"ExclusiveStartKey": {"pk": TEXT}},
    "start-key-of-other-name": {"ExclusiveStartKey": {"pk": TEXT, "other": TEXT}},
    "start-key-with-more": {"ExclusiveStartKey": {**TABLE_KEY, "other": TEXT}},
    "start-key-of-other-type": {"ExclusiveStartKey": {"pk": TEXT, "sk": {"N": "1"}}},
    "start-key-with-empty-value": {"ExclusiveStartKey": {"pk": TEXT, "sk": {"S": ""}}},
    "start-key-too-long": {"ExclusiveStartKey": {"pk": TEXT, "sk": {"S": "x" * 1025}}},
    "start-key-lacks-key-of-local": {"ExclusiveStartKey": TABLE_KEY, "IndexName": "local"},
    "start-key-lacks-key-of-global": {"ExclusiveStartKey": TABLE_KEY, "IndexName": "global"},
    "start-key-lacks-key-of-table": {"ExclusiveStartKey": {"gsi_pk": TEXT, "gsi_sk": TEXT}, "IndexName": "global"},
    "start-key-of-other-type-in-global": {
        "ExclusiveStartKey": {**TABLE_KEY, "gsi_pk": TEXT, "gsi_sk": {"B": b"x"}},
        "IndexName": "global",
    },
    "index-unknown": {"IndexName": "no-such-index"},
    "global-index-consistent": {"IndexName": "global", "ConsistentRead": True},
    "placeholder-without-names": {"ProjectionExpression": "#a"},
    "placeholder-undefined": {"ProjectionExpression": "#a", "ExpressionAttributeNames": {"#b": "pk"}},
    "placeholder-unused": {"ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "pk", "#b": "sk"}},
    "projection-twice": {"ProjectionExpression": "#a, #b", "ExpressionAttributeNames": {"#a": "pk", "#b": "pk"}},
    "names-without-projection": {"ExpressionAttributeNames": {"#a": "pk"}},
    "count-of-projection": {
        "ProjectionExpression": "#a",
        "ExpressionAttributeNames": {"#a": "pk"},
        "Select": "COUNT",
    },
    "specific-attributes-of-nothing": {"Select": "SPECIFIC_ATTRIBUTES"},
}


@pytest.mark.refused_by_aws
@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_request_is_refused(engine: Engine, case: str) -> None:
    table = sample.table("S", "S")
    engine.load(table, sample.items("S", "S"))
    assert refused(engine, TableName=table.name, **WRONG[case])


def test_an_unknown_table_is_not_found(engine: Engine) -> None:
    assert refused(engine, "ResourceNotFoundException", TableName="no-such-table")
