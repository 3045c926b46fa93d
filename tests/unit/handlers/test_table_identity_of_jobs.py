"""A table that was deleted and created again since the plan: no batch touches it, and no work over it is complete."""

from collections.abc import Mapping
from itertools import repeat
from typing import Any

import pytest

from skipscan.aws.rechecked import FRESH_SECONDS
from skipscan.copy.kind import COPY
from skipscan.loop.kind import Kind
from skipscan.loop.work import ExecutionId
from skipscan.retrofit.kind import RETROFIT
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.faulty import faulty
from tests.fakes.handlers.execution import CONTEXT, through_json
from tests.fakes.handlers.loading import loaded
from tests.fakes.s3 import FakeS3
from tests.fakes.small_table import DESCRIPTION, copy_plan, retrofit_plan
from tests.simulation.world.execution import STATES, State
from tests.simulation.world.fault import Call
from tests.simulation.world.fault import Kind as CallKind
from tests.simulation.world.functions import TABLE, functions
from tests.simulation.world.functions import TARGET as REPLICA
from tests.simulation.world.orders import INPUTS, OrdersWorld, items

NAMED = ExecutionId("job-1", "arn:job-1", "2026-01-01T00:00:00+00:00")
SOURCE = str(DESCRIPTION["TableArn"])
TARGET = "arn:target"


@pytest.mark.parametrize(
    ("kind", "plan", "ids"),
    [
        (RETROFIT, retrofit_plan(), {SOURCE: "another"}),
        (COPY, copy_plan(), {SOURCE: "another", TARGET: "id"}),
        (COPY, copy_plan(), {SOURCE: "table-1", TARGET: "another"}),
    ],
    ids=["retrofit", "copy, the source", "copy, the new table"],
)
def test_no_batch_touches_a_recreated_table(s3: FakeS3, kind: Kind[Any], plan: Any, ids: Mapping[str, str]) -> None:
    module: Any = loaded(kind.states["turn"].lower().replace(" ", "_"), s3)

    def described(_: object, asked: Mapping[str, Any]) -> Any:
        arn = TARGET if asked["TableName"] == TARGET else SOURCE
        return {"Table": {**DESCRIPTION, "TableArn": arn, "TableId": ids[arn]}}

    module.dynamodb = faulty(None, {"describe_table": repeat(described)})  # any other request fails the test
    event = {"work": kind.new_work(NAMED, plan).to_json(), "worker": 0}
    ended = module.handler(through_json(event), CONTEXT)
    assert ended["done"]
    assert f"{kind.label} job-1 belongs to a table that no longer exists" in ended["report"]["ended_by"]
    assert [name for name in s3.objects if "/errors/" not in name] == []


@pytest.mark.parametrize(
    ("kind", "table"),
    [("listing", TABLE), ("act", TABLE), ("retrofit", TABLE), ("copy", TABLE), ("copy", REPLICA)],
)
def test_no_work_is_complete_over_a_table_that_was_created_anew(kind: str, table: str) -> None:
    world = OrdersWorld()

    def create_anew(state: str, event: State) -> None:
        if state == STATES[kind][2]:
            anew = TableDefinition(table, KeySchema.of(("pk", "S"), ("sk", "S")), id="anew")
            world.dynamodb.add(anew, items("") if table == TABLE else ())

    with functions().simulated():
        if kind == "act":
            world.carry_out("listing", "run-1")
        output = world.carry_out(kind, "work-1", create_anew)
    assert output["error"] == "TableError"
    assert "work-1 belongs to a table that no longer exists" in output["cause"]
    assert not [name for name in world.s3.objects if "work-1/manifest" in name]


@pytest.mark.parametrize(
    ("kind", "table"), [("act", TABLE), ("retrofit", TABLE), ("copy", TABLE), ("copy", REPLICA)], ids=str
)
def test_a_batch_writes_nothing_once_its_table_was_created_anew(kind: str, table: str) -> None:
    world = OrdersWorld()
    world.batch_pages = lambda: 1_000  # type: ignore[method-assign]  # one batch does all of the work
    later: list[str] = []
    created = False

    def create_anew(call: Call) -> Any:
        nonlocal created
        if call.kind is CallKind.WRITE and created:
            later.append(call.operation)
        answer = call.perform()
        if call.kind is CallKind.WRITE and not created:
            created = True
            anew = TableDefinition(table, KeySchema.of(("pk", "S"), ("sk", "S")), id="anew")
            world.dynamodb.add(anew, items("") if table == TABLE else ())
            world.clock.sleep(FRESH_SECONDS)
        return answer

    with functions().simulated():
        if kind == "act":
            world.carry_out("listing", "run-1")
        world.trouble = create_anew
        execution = world.start(kind, "work-1", INPUTS[kind], is_whole=True)
        while execution.tasks:
            ((attempt,),) = (task.attempts for task in execution.tasks)
            world.go_on(attempt)
    assert execution.outcome
    assert execution.outcome["error"] == "TableError"
    assert f"{kind} work-1 belongs to a table that no longer exists" in execution.outcome["cause"]
    assert len(later) <= OrdersWorld.threads - 1  # requests under way at that moment
