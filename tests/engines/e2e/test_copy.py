"""A deployed copy and its replicator on a table with a stream, while several writers insert, change and delete items.

MiniStack's own DynamoDB has the stream; it takes no notice of the records that a function wants again. Nobody waits
the 15 minutes of the late looks: their keys are handed to the function at the end instead.
"""

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from local import audit_table
from local.embedded import Embedded
from local.execution import ExecutionError, execute
from skipscan.copy.replica import late_look_messages
from tests.engines.e2e.conftest import Deployment
from tests.engines.e2e.streams import NEW, OLD, Streams, change, items_of, made
from tests.house.suite.examples import ALL

pytestmark = [pytest.mark.xdist_group("streams"), pytest.mark.in_order]

SOURCE, TARGET = OLD, NEW
ITEMS, WRITERS, WAIT_SECONDS = 200 if ALL else 100, 3, 600.0
LEAST_WRITES = 40 if ALL else 20
"""Of each writer."""
PAUSE_SECONDS = 0.02 if ALL else 0.1
"""Between two writes: a function is started for each, and the test waits until all have gone through the stream."""
FUNCTION = "skipscan-streams-copy-Old"
FUNCTIONS = ("skipscan-streams-plan-copy", "skipscan-streams-copy-page", "skipscan-streams-finish-copy", FUNCTION)


def write(account: Embedded, seed: int, stop: Event) -> int:
    """Change items until stopped, at least a few; return the number of writes."""
    chance, writes = random.Random(seed), 0
    while not stop.wait(PAUSE_SECONDS) or writes < LEAST_WRITES:
        change(account, SOURCE, chance, ITEMS)
        writes += 1
    return writes


def expected(account: Embedded) -> dict[str, dict[str, Any]]:
    found = items_of(account, SOURCE)
    return {id_: {**item, audit_table.ATTRIBUTE: {"S": made(item)}} for id_, item in found.items()}


def copy(deployment: Deployment, name: str, **document: Any) -> dict[str, Any]:
    machine = deployment.outputs["CopyStateMachineArn"]
    document = {"table": SOURCE, "to": TARGET, "without_recovery": True, "segments": 4, "workers": 2} | document
    return dict(execute(deployment.account.stepfunctions, machine, document, name=name))


def look_late(streams: Streams, ids: Sequence[str]) -> Any:
    """Have the replicator look at these items of the old table, as its queue does later; return its answer."""
    messages = enumerate(late_look_messages(({"id": {"S": id_}} for id_ in ids), streams.arns[SOURCE]))
    return streams.invoke(FUNCTION, [{"messageId": str(number), "body": body} for number, body in messages])


def test_nothing_written_during_the_copy_is_lost_or_undone(streams: Streams) -> None:
    account = streams.account
    audit_table.load(account.dynamodb, SOURCE, audit_table.items(ITEMS))
    before, stop = items_of(account, SOURCE), Event()
    with ThreadPoolExecutor(WRITERS) as threads:
        writing = [threads.submit(write, account, seed, stop) for seed in range(WRITERS)]
        try:
            output = copy(streams, "copy", create=True, dry_run=False, verify=False)
        finally:
            stop.set()
        writes = sum(writer.result() for writer in writing)
    assert writes >= WRITERS * LEAST_WRITES
    assert output["items"] > ITEMS / 3
    deadline = time.monotonic() + WAIT_SECONDS
    truth = expected(account)
    while {id_: item for id_, item in items_of(account, TARGET).items() if id_ in truth} != truth:
        assert time.monotonic() < deadline, "the replicator does not come to the end of the stream"
        time.sleep(1.0)  # a look at both tables takes the engine long
    known = {*before, *truth, *items_of(account, TARGET)}  # only the copies can report what else the table has
    assert look_late(streams, sorted(known)) == {"batchItemFailures": []}
    assert items_of(account, TARGET) == expected(account)

    verified = copy(streams, "again", dry_run=False, workers=1)
    counted = ("copied", "missing", "surplus", "different", "listed")
    assert {name: verified[name] for name in counted} == dict.fromkeys(counted, 0)
    assert verified["items"] == verified["source_items"] == verified["target_items"] == len(truth)
    assert verified["compared"] > 0


def test_a_copy_is_refused_while_the_replicator_is_switched_off(streams: Streams) -> None:
    awslambda = streams.account.awslambda
    mappings = awslambda.list_event_source_mappings(FunctionName=FUNCTION)["EventSourceMappings"]
    assert len(mappings) == 2
    for number, mapping in enumerate(mapping["UUID"] for mapping in mappings):
        awslambda.update_event_source_mapping(UUID=mapping, Enabled=False)
        try:
            with pytest.raises(ExecutionError, match=f"would put back items.*--uuid {mapping} --enabled --region "):
                copy(streams, f"switched-off-{number}", dry_run=False)
            if not number:
                assert copy(streams, "compared", dry_run=False, compare_only=True)["missing"] == 0
        finally:
            awslambda.update_event_source_mapping(UUID=mapping, Enabled=True)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_its_functions_are_allowed_every_call_they_made_and_no_other_to_a_table(streams: Streams, name: str) -> None:
    streams.check_rights(name)
