"""What is done with the tasks of a request: which requests it takes, each whole, and what their answers mean."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.actions.hand_over import Invoke
from skipscan.act.input import AnyAction
from skipscan.act.item import ActCounts
from skipscan.act.task_source import Task, TaskResult
from skipscan.aws.lean import LeanClient
from skipscan.items.mark import MARK
from tests.fakes.acting import Acting
from tests.fakes.actions import decided
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import service_error
from tests.unit.act.worker import FUNCTION, plan

OWN, ANOTHER = {MARK: {"S": plan([]).mark}}, {MARK: {"S": "dev/another"}}
KEY: Item = {"pk": {"S": "1"}, "sk": {"S": "#static"}}
ACTIONS: dict[str, dict[str, Any]] = {
    "put": {"put_item": {"item": {"sk": "#static"}}},
    "overwrite": {"put_item": {"item": {"sk": "#static"}, "overwrite": True}},
    "delete": {"delete_item": {"key": {"sk": "#static"}}},
    "delete if": {"delete_item": {"key": {"sk": "#static"}, "if": {"a": "x", "b": 7}}},
    "undo": {"undo": {"job": "first", "item": {"sk": "#static", "a": "x"}, "mark": "dev/another"}},
}


class Recording:
    """A client of a table in memory. `calls`: the requests, with their parameters."""

    def __init__(self, *items: Item) -> None:
        self.dynamodb, self.calls = FakeDynamoDB(), list[tuple[str, dict[str, Any]]]()
        self.table = self.dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
        self.exceptions = self.dynamodb.exceptions

    def __getattr__(self, name: str) -> Any:
        def call(**asked: Any) -> Any:
            self.calls.append((name, asked))
            return getattr(self.dynamodb, name)(**asked)

        return call


def task(*keys: int, number: int = 0) -> Task:
    return Task(number, tuple(b'{"pk": "%d"}\n' % key for key in keys), 0, 1, f"part-{number}")


def written(client: Any, action: AnyAction) -> tuple[TaskResult, list[tuple[float, float]]]:
    """Return what came of a key, and the read and write units of each request."""
    acting = Acting.over(client, plan([], action))
    (result,) = acting.act(task(1))
    return result, acting.spent


ASKED = {"TableName": "T-1", "ReturnConsumedCapacity": "TOTAL"}
EXISTS = "attribute_exists(#k)"


BOTH = f"{EXISTS} AND #e0 = :e0 AND #e1 = :e1"


def conditional(condition: str, names: dict[str, str], values: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the parameters of a write that must find what the condition says, or return the item."""
    said = {"ConditionExpression": condition, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    return {
        **ASKED,
        **said,
        "ExpressionAttributeNames": names,
        **({"ExpressionAttributeValues": values} if values else {}),
    }


OVERWRITTEN = conditional("attribute_not_exists(#k) OR #k <> :k", {"#k": MARK}, {":k": OWN[MARK]})
SAME = conditional(BOTH, {"#k": "pk", "#e0": "a", "#e1": "b"}, {":e0": {"S": "x"}, ":e1": {"N": "7"}})


@pytest.mark.parametrize(
    ("name", "call", "asked"),
    [
        ("put", "put_item", {"Item": {**KEY, **OWN}, **conditional("attribute_not_exists(#e0)", {"#e0": "pk"})}),
        ("overwrite", "put_item", {"Item": {**KEY, **OWN}, **OVERWRITTEN}),
        ("delete", "delete_item", {"Key": KEY, **conditional(EXISTS, {"#k": "pk"})}),
        ("delete if", "delete_item", {"Key": KEY, **SAME}),
    ],
)
def test_a_write_says_what_must_hold_and_asks_for_the_item_where_it_does_not(
    name: str, call: str, asked: dict[str, Any]
) -> None:
    client = Recording()
    written(client, decided(ACTIONS[name]))
    assert client.calls == [(call, asked)]


def test_an_undo_reads_the_item_and_deletes_it_as_it_was_read() -> None:
    client = Recording({**KEY, **ANOTHER, "a": {"S": "x"}})
    ended = written(client, decided(ACTIONS["undo"]))
    same = conditional(BOTH, {"#k": "pk", "#e0": "a", "#e1": MARK}, {":e0": {"S": "x"}, ":e1": ANOTHER[MARK]})
    assert client.calls == [
        ("get_item", {**ASKED, "Key": KEY, "ConsistentRead": True}),
        ("delete_item", {"Key": KEY, **same}),
    ]
    assert ended == (TaskResult(ActCounts(deleted=1)), [(1.0, 0.0), (0.0, 1.0)])


LARGE = {"filled": {"S": "x" * 1_500}}
"""An item with it takes two write units."""


@pytest.mark.parametrize(
    ("name", "existing", "outcome", "units"),
    [
        ("put", None, {"put": 1}, 1.0),
        ("put", {**OWN, **LARGE}, {"put": 1}, 2.0),
        ("put", {**ANOTHER, **LARGE}, {"present": 1}, 2.0),
        ("put", LARGE, {"present": 1}, 2.0),
        ("overwrite", None, {"put": 1}, 1.0),
        ("overwrite", {**OWN, **LARGE}, {"put": 1}, 2.0),
        ("overwrite", LARGE, {"put": 1}, 2.0),
        ("delete", None, {"absent": 1}, 1.0),
        ("delete", LARGE, {"deleted": 1}, 2.0),
        ("delete if", None, {"absent": 1}, 1.0),
        ("delete if", {"a": {"S": "x"}, "b": {"N": "8"}, **LARGE}, {"present": 1}, 2.0),
        ("delete if", {"a": {"S": "x"}, "b": {"N": "7.0"}, **LARGE}, {"deleted": 1}, 2.0),
        ("undo", None, {"absent": 1}, 0.0),
        ("undo", {"a": {"S": "x"}, **OWN}, {"present": 1}, 0.0),
        ("undo", {"a": {"S": "x"}, **ANOTHER, **LARGE}, {"present": 1}, 0.0),
        ("undo", {"a": {"S": "x"}, **ANOTHER}, {"deleted": 1}, 1.0),
    ],
)
def test_an_existing_item_decides_the_outcome_and_the_units(
    name: str, existing: Item | None, outcome: dict[str, int], units: float
) -> None:
    client = Recording(*([] if existing is None else [{**KEY, **existing}]))
    result, spent = written(client, decided(ACTIONS[name]))
    looked, wrote = ([(1.0, 0.0)] if name == "undo" else []), ([(0.0, units)] if units else [])
    assert (result, spent) == (TaskResult(ActCounts(**outcome)), looked + wrote)


LISTED: Item = {**KEY, "a": {"S": "x"}, "n": {"N": "7"}}
ITEM_LINE = (
    b'{"pk": {"S": "1"}, "item": {"M": {"sk": {"S": "#static"}, "a": {"S": "x"}, "n": {"N": "7"}}}, '
    b'"read": {"S": "2026-01-01T00:00:00.000+00:00"}}\n'
)


def written_listed(client: Any, document: dict[str, Any], line: bytes = ITEM_LINE) -> TaskResult:
    decided_plan = replace(plan([], decided(document)), format="dynamodb-jsonl", has_items=True)
    (result,) = Acting.over(client, decided_plan).act(Task(0, (line,), 0, 1, "part-0"))
    return result


@pytest.mark.parametrize(
    ("existing", "outcome", "left"),
    [
        (LISTED, {"deleted": 1}, None),
        ({**LISTED, "n": {"N": "7.0"}}, {"deleted": 1}, None),
        (None, {"absent": 1}, None),
        ({**LISTED, "n": {"N": "8"}}, {"present": 1}, {**LISTED, "n": {"N": "8"}}),
        ({**LISTED, "added": {"S": "x"}}, {"present": 1}, {**LISTED, "added": {"S": "x"}}),
        ({**KEY, "a": {"S": "x"}}, {"present": 1}, {**KEY, "a": {"S": "x"}}),
    ],
)
def test_a_listed_item_is_deleted_only_as_it_was_listed(
    existing: Item | None, outcome: dict[str, int], left: Item | None
) -> None:
    client = Recording(*([existing] if existing else []))
    assert written_listed(client, {"delete_listed": {}}) == TaskResult(ActCounts(**outcome))
    assert client.table.get(KEY) == left
    assert [call for call, _ in client.calls] == ["get_item", *["delete_item"] * ("deleted" in outcome)]


def test_a_listed_item_that_changes_after_the_read_stays() -> None:
    client = Recording(LISTED)
    get = client.dynamodb.get_item
    changed: Item = {**LISTED, "a": {"S": "y"}}

    def read(**asked: Any) -> Any:
        answer = get(**asked)
        client.table.put(changed)
        return answer

    client.dynamodb.get_item = read  # type: ignore[method-assign]
    assert written_listed(client, {"delete_listed": {}}) == TaskResult(ActCounts(present=1))
    assert client.table.get(KEY) == changed


def test_a_listed_item_of_more_attributes_than_a_condition_compares_is_listed_as_failed() -> None:
    more = ", ".join(f'"a{number}": {{"S": "x"}}' for number in range(148))
    line = ITEM_LINE.replace(b'"a": {', more.encode() + b', "a": {')
    client = Recording({**LISTED, **{f"a{number}": {"S": "x"} for number in range(148)}})
    result = written_listed(client, {"delete_listed": {}}, line)
    assert (result, client.calls) == (TaskResult(ActCounts(failed=1), ((line, "TooManyAttributes"),)), [])
    written_listed(client, {"delete_listed": {}}, line.replace(b'"a0": {"S": "x"}, ', b""))
    assert [call for call, _ in client.calls] == ["get_item"]  # 149 of them


@pytest.mark.parametrize(
    ("existing", "outcome", "left"),
    [(None, {"put": 1}, LISTED), ({**KEY, "b": {"S": "newer"}}, {"present": 1}, {**KEY, "b": {"S": "newer"}})],
)
def test_an_item_is_put_back_where_its_key_is_free(existing: Item | None, outcome: dict[str, int], left: Item) -> None:
    client = Recording(*([existing] if existing else []))
    assert written_listed(client, {"put_back": {"job": "first"}}) == TaskResult(ActCounts(**outcome))
    assert client.table.get(KEY) == left


class Lean(LeanClient):
    """A lean client over a table in memory, whose first read is still needed. `read`: for what it is asked."""

    def __init__(self, client: Any) -> None:
        self._client, self.read = client, list[dict[str, Any]]()

    def read_first(self, **asked: Any) -> float:
        self.read.append(asked)
        return 2.5 if len(self.read) == 1 else 0.0


@pytest.mark.parametrize("name", ["put", "overwrite", "delete", "delete if"])
def test_the_lean_client_reads_the_item_before_its_first_write(name: str) -> None:
    client: Any = Lean(Recording())
    acting = Acting.over(client, plan([], decided(ACTIONS[name])))
    for _ in range(2):
        acting.act(task(1))
    assert client.read == [{**ASKED, "Key": KEY}] * 3, "once more before the write that the read took the place of"
    assert acting.spent == [(2.5, 0.0), (0.0, 1.0), (0.0, 1.0)]


def refusing(client: Recording, code: str) -> Any:
    """Let the client refuse every put, and every read before an undo."""

    def refuse(**_: Any) -> Any:
        raise service_error(code, "made up", "PutItem")

    client.dynamodb.put_item = client.dynamodb.get_item = refuse  # type: ignore[method-assign]
    return client


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("put", "ValidationException"),
        ("put", "ItemCollectionSizeLimitExceededException"),
        ("undo", "ValidationException"),
    ],
)
def test_a_key_that_dynamodb_refuses_for_good_is_listed_with_the_code(name: str, code: str) -> None:
    ended = written(refusing(Recording(), code), decided(ACTIONS[name]))
    assert ended == (TaskResult(ActCounts(failed=1), ((task(1).lines[0], code),)), [(0.0, 0.0)])


def items(*keys: int) -> list[Item]:
    return [{"pk": {"S": str(key)}, "sk": {"S": "x"}} for key in keys]


def skipping(client: Any) -> Acting:
    return Acting.over(client, replace(plan([], Invoke(FUNCTION, 3)), skips_ended=True))


def test_a_look_is_one_consistent_query_for_a_key() -> None:
    client = Recording(*items(1))
    acting = skipping(client)
    acting.act(task(1))
    assert client.calls == [
        (
            "query",
            {
                **ASKED,
                "KeyConditionExpression": "#p0 = :k",
                "ExpressionAttributeNames": {"#p0": "pk"},
                "ExpressionAttributeValues": {":k": {"S": "1"}},
                "ProjectionExpression": "#p0",
                "ConsistentRead": True,
                "Limit": 1,
            },
        )
    ]
    assert acting.spent == [(1.0, 0.0)]


def test_ended_keys_and_tasks_are_left_out_of_a_request_and_counted() -> None:
    acting = skipping(Recording(*items(1, 3, 6)))
    tasks = [task(1, 2, 3), task(4, 5, number=1), task(6, number=2)]
    results = acting.act(*tasks)
    (sent,) = acting.handed_over
    assert list(sent.values()) == [(tasks[0].lines[0], tasks[0].lines[2]), tasks[2].lines]
    assert [id in {each.id for each in tasks} for id in sent] == [False, True], "an id stands for its keys"
    counts = ((2, 1), (0, 2), (1, 0))
    assert results == tuple(TaskResult(ActCounts(sent=sent, ended=ended)) for sent, ended in counts)
    assert acting.spent == [(1.0, 0.0)] * 6


def test_a_request_whose_keys_have_all_ended_is_not_made() -> None:
    acting = skipping(Recording())
    assert acting.act(task(1, 2), task(3, number=1)) == tuple(TaskResult(ActCounts(ended=ended)) for ended in (2, 1))
    assert acting.handed_over == []
