"""How often a batch that writes looks whether its tables still are those of its plan."""

from dataclasses import replace
from itertools import count, repeat

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.table import Rechecked, same_tables
from skipscan.copy.kind import COPY
from skipscan.errors import TableError
from skipscan.loop.work import ExecutionId
from tests.fakes.faulty import faulty
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import DESCRIPTION
from tests.refusal import refused
from tests.simulation.inputs.clock import Clock

NAMED = ExecutionId("copy-1", "arn:copy-1", "2026-01-01T00:00:00+00:00")
THROTTLED = ClientError({"Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"}}, "DescribeTable")


@pytest.mark.parametrize(("workers", "seconds"), [(1, 1.0), (100, 1.0), (1000, 8.0)])
def test_all_workers_together_describe_a_tenth_of_what_an_account_may(workers: int, seconds: float) -> None:
    """At least every second: no table can be deleted, created again and ready within one."""
    clock, target = Clock(), {"TableArn": "arn:target", "TableId": "id"}
    described = faulty(
        None,
        {
            "describe_table": repeat(
                lambda _, asked: {"Table": {**DESCRIPTION, **(target if asked["TableName"] == "arn:target" else {})}}
            )
        },
    )
    plan = replace(copy_plan(segments=workers), reading=replace(copy_plan(segments=workers).reading, workers=workers))
    tables = same_tables(described, COPY.begun(NAMED, plan), clock.monotonic)
    for _ in range(3):
        tables.check()
    assert len(described.calls) == len(plan.tables)
    clock.sleep(0.99 * seconds)
    tables.check()
    assert len(described.calls) == len(plan.tables)
    clock.sleep(0.02 * seconds)
    target["TableId"] = "anew"
    with refused(TableError, "copy copy-1", rule="belongs to a table that no longer exists"):
        tables.check()


def test_nothing_is_done_while_it_is_unknown_and_a_refusal_is_not_the_last_word() -> None:
    tries, done = count(), list[str]()

    def check() -> None:
        if next(tries) < 2:
            raise THROTTLED

    do = Rechecked(check, lambda: 0.0).before(done.append)
    for _ in range(2):
        with pytest.raises(ClientError):
            do("write")
    assert done == []
    do("write")
    assert done == ["write"]
