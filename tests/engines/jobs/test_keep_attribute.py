"""The keeper of an attribute: new writes get it, its own are left, and what fails comes again."""

import json
from itertools import count
from typing import Any

import pytest

from local import audit_table
from tests.engines.jobs.conftest import Audited
from tests.engines.jobs.engine import CREATED, STREAM, error
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.handlers.loading import loaded

pytestmark = pytest.mark.xdist_group("dynalite")

MADE = audit_table.ATTRIBUTE
NUMBERS = count(1)
FULL = {"resourceId": {"S": "123ccc"}, "action": {"S": "edited"}, "accessedBy": {"S": "jane"}}


class Keeper:
    """The function, and the table on whose stream it is."""

    def __init__(self, audited: Audited, module: Any) -> None:
        self.audited = audited
        self.engine = audited.engine
        self.module = module

    def put(self, id_: str, **attributes: Any) -> dict[str, Any]:
        item = {"id": {"S": id_}, "timestamp": {"S": "2026-01-01"}, **attributes}
        self.engine.client.put_item(TableName=self.audited.table, Item=item)
        return {"eventName": "INSERT", "dynamodb": {"Keys": {"id": {"S": id_}}, "SequenceNumber": str(next(NUMBERS))}}

    def handle(self, *records: dict[str, Any]) -> list[str]:
        """Return the sequence numbers that the function wants again."""
        answer = json.loads(json.dumps(self.module.handler({"Records": list(records)}, CONTEXT)))
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


@pytest.fixture(scope="module")
def function(job: Machine) -> Any:
    module: Any = loaded("keep_attribute")
    module.dynamodb.close()
    return module


@pytest.fixture
def keeper(audited: Audited, function: Any, monkeypatch: pytest.MonkeyPatch) -> Keeper:
    monkeypatch.setenv("SKIPSCAN_TABLE", audited.table)
    monkeypatch.setenv("SKIPSCAN_STREAM", STREAM.format(audited.table, CREATED))
    monkeypatch.setenv("SKIPSCAN_KEPT", json.dumps({"set": {MADE: audit_table.TEMPLATE}}))
    function.dynamodb = audited.engine
    return Keeper(audited, function)


def test_a_new_item_gets_the_attribute_and_the_index_has_it(keeper: Keeper) -> None:
    assert keeper.handle(keeper.put("new", **FULL)) == []
    assert keeper.audited.when("123ccc", "edited", "jane") == ["2026-01-01"]


@pytest.mark.parametrize(("separator", "made"), [("keep", "a-b-edited-jane"), ("refuse", None), (None, None)])
def test_a_source_with_a_separator_is_made_as_cdk_json_says(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch, separator: str | None, made: str | None
) -> None:
    more = {"separator": separator} if separator else {}
    monkeypatch.setenv("SKIPSCAN_KEPT", json.dumps({"set": {MADE: audit_table.TEMPLATE}, **more}))
    id_ = f"dash-{separator}"
    assert keeper.handle(keeper.put(id_, **{**FULL, "resourceId": {"S": "a-b"}})) == []
    assert keeper.audited.items()[id_].get(MADE, {}).get("S") == made


def test_a_look_that_is_refused_is_no_refusal_of_the_item(keeper: Keeper) -> None:
    record = keeper.put("one", **FULL)
    keeper.engine.fail("get_item", error("ValidationException"))
    assert keeper.handle(record) == [record["dynamodb"]["SequenceNumber"]]


def test_nothing_is_set_in_a_table_that_was_created_again(keeper: Keeper) -> None:
    record = keeper.put("one", **FULL)
    keeper.engine.created = "2026-02-02T00:00:00.000"
    assert keeper.handle(record) == [record["dynamodb"]["SequenceNumber"]]
    assert keeper.engine.names == ["get_item"]
