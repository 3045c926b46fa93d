"""What a function has from the start: clients that wait, retry and connect as its calls need, and its variables."""

import json
from typing import Any
from unittest.mock import MagicMock

import pytest

from skipscan.aws import follower
from skipscan.aws.clients import ATTEMPTS, LONGEST_CALL_SECONDS
from skipscan.copy.kind import COPY
from skipscan.copy.replica import DELAY_SECONDS
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import BatchError, TableError
from skipscan.items.job import THREADS
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Bounds
from skipscan.scan.width import MOST_WALKS
from tests.fakes.faulty import faulty
from tests.fakes.handlers.execution import CONTEXT, through_json
from tests.fakes.handlers.loading import loaded
from tests.fakes.s3 import FakeS3
from tests.fakes.small_table import DESCRIPTION, copy_plan
from tests.refusal import failed, refused

REPLICA = {"source": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders", "target": "Orders-2"}
FOLLOWERS = {"Orders": ["keeper", "attribute_keeper"]}
CLIENTS = {
    "plan": {"dynamodb": (1, 1), "pricing": (10, 1), "lambda": (10, 1), "stepfunctions": (10, ATTEMPTS)},
    "scan": {"dynamodb": (MOST_WALKS, 1)},
    "finish": {"dynamodb": (1, ATTEMPTS)},
    "plan_act": {"dynamodb": (1, 1), "pricing": (10, 1)},
    "act": {"dynamodb": (THREADS, 1), "lambda": (THREADS, 1), "sqs": (THREADS, 1)},
    "finish_act": {"dynamodb": (1, ATTEMPTS)},
    "plan_retrofit": {"dynamodb": (1, 1), "pricing": (10, 1)},
    "retrofit": {"dynamodb": (THREADS, 1)},
    "finish_retrofit": {"dynamodb": (THREADS, ATTEMPTS)},
    "plan_copy": {"dynamodb": (1, 1), "pricing": (10, 1), "kms": (1, ATTEMPTS), "lambda": (1, ATTEMPTS)},
    "copy_page": {"dynamodb": (THREADS, 1), "sqs": (THREADS, 1)},
    "finish_copy": {"dynamodb": (1, ATTEMPTS)},
    "keeper": {"dynamodb": (follower.THREADS, ATTEMPTS)},
    "keep_attribute": {"dynamodb": (follower.THREADS, ATTEMPTS)},
    "replicator": {"dynamodb": (follower.THREADS, ATTEMPTS), "sqs": (follower.THREADS, 1)},
}
"""The connections of each function's clients by their service, one for each thread, and how often they send a request.

Ten are boto3's default, for clients that one thread uses. The first attempt of a plan is repeated by the state machine.
A batch repeats a request when its pace permits.
"""


@pytest.fixture
def variables(s3: FakeS3, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"RETROFIT": ["Orders"], "REPLICAS": [REPLICA], "MAPPINGS": ["uuid-1"]}.items():
        monkeypatch.setenv(f"SKIPSCAN_{name}", json.dumps(value))
    monkeypatch.setenv("SKIPSCAN_FOLLOWERS", json.dumps(FOLLOWERS))


@pytest.mark.parametrize("state", CLIENTS)
@pytest.mark.usefixtures("variables")
def test_the_clients_of_a_function_connect_and_retry_as_its_calls_need(state: str) -> None:
    found = {}
    for client in loaded(state).clients.values():
        config = client.meta.config
        found[client.meta.service_model.service_name] = (
            *(config.max_pool_connections, config.retries["total_max_attempts"]),
        )
        assert config.connect_timeout + config.read_timeout < LONGEST_CALL_SECONDS
    assert found == CLIENTS[state]


@pytest.mark.usefixtures("variables")
def test_the_variables_name_the_tables_that_jobs_may_write_and_who_reads_their_streams() -> None:
    settings = loaded("plan_copy").function.settings
    assert (settings.retrofitted, settings.followers) == (("Orders",), FOLLOWERS)
    assert (settings.replicas, settings.mappings) == ((REPLICA,), {REPLICA["source"]: "uuid-1"})


@pytest.mark.usefixtures("variables")
def test_a_replicator_of_a_table_to_itself_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Synth cannot see that of names that AWS fills in later."""
    replica = {"source": "Orders", "target": "Orders", "stream": "arn:stream", "queue": "https://queue"}
    monkeypatch.setenv("SKIPSCAN_REPLICA", json.dumps(replica))
    module = loaded("replicator")
    module.described = lambda *_: TableDescription.from_json(DESCRIPTION)
    module.dynamodb = module.sqs = faulty(None)  # any request fails the test
    with refused(TableError, "to", "Orders", rule="it is the table itself"):
        module.handler({"Records": [{"dynamodb": {}}]}, CONTEXT)


@pytest.mark.parametrize(
    ("state", "batch"), [("scan", ["scan.batch.Batch"]), ("retrofit", ["pace.ledger.Ledger", "items.engine.Engine"])]
)
@pytest.mark.usefixtures("variables")
def test_a_batch_has_the_clock_the_chance_and_the_part_of_its_turn(
    state: str, batch: list[str], s3: FakeS3, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without chance all workers that were refused at once would come back at once."""
    made, part, bounds = dict[str, Any](), MagicMock(), Bounds(seconds=3.0)
    for each in batch:
        monkeypatch.setattr(f"skipscan.{each}", lambda *_, **named: made.update(named))
    for other in ("loop.event.turn_of", "aws.rechecked.same_tables", "aws.table.Table", "retrofit.item.RetrofitJob"):
        monkeypatch.setattr(f"skipscan.{other}", MagicMock())
    module = loaded(state, s3)
    function, dependencies = module.function, module.function.dependencies
    monkeypatch.setattr(function, "results", MagicMock())
    monkeypatch.setattr(function, "bounds", lambda *_, **__: bounds)
    monkeypatch.setattr(function, "turn", lambda _, open_batch: open_batch(MagicMock(), part, None))
    module.handler({}, CONTEXT)
    assert (made["clock"].now, made["random"], made["write"], made["bounds"]) == (
        *(dependencies.clock, dependencies.random),
        *(part.write, bounds),
    )
    assert made["clock"].epoch == pytest.approx(dependencies.batch_clock().epoch, abs=60)


# A batch of a copy is over long before a late look, whatever an environment says about batches.


SIGNATURE_SECONDS = 300.0
"""AWS takes no request that was signed earlier."""


class OpenedError(Exception):
    """A batch was opened."""


def test_no_put_can_arrive_after_the_late_look(s3: FakeS3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIPSCAN_BATCH_SECONDS", "800")
    found: list[Bounds] = []

    def batch(*_: object, bounds: Bounds, **__: object) -> None:
        found.append(bounds)
        raise OpenedError

    monkeypatch.setattr("skipscan.aws.rechecked.check_tables", lambda *_: None)
    monkeypatch.setattr("skipscan.pace.ledger.Ledger", batch)
    module = loaded("copy_page", s3)
    # The first batches of a worker are short anyway.
    monkeypatch.setattr("skipscan.aws.function.FIRST_SECONDS", ())
    work = COPY.new_work(ExecutionId("copy-1", "arn:copy-1", "2026-01-01T00:00:00+00:00"), copy_plan())
    with failed(BatchError, "OpenedError"):
        module.handler(through_json({"work": work.to_json(), "worker": 0}), CONTEXT)
    (bounds,) = found
    assert bounds.seconds is not None
    assert bounds.seconds + SIGNATURE_SECONDS < DELAY_SECONDS - 60
