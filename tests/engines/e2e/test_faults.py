"""Faults on the deployed stack: processes killed, engines stopped, calls refused and cut, executions stopped and raced.

Every test shows that its faults hit, and that the keys are exact all the same. MiniStack has no RedriveExecution, so
a run goes on by `resume` here; and its StopExecution leaves the workers running: they are the zombies of these tests.
"""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import pytest

from local.execution import ExecutionError
from tests.engines.e2e.conftest import Deployment, Surroundings
from tests.engines.e2e.holding import SECONDS, Held, Together, holding, wait_for
from tests.engines.e2e.lambda_processes import Killer
from tests.engines.e2e.proxy import Call, Fault, Proxy, ProxyResponse, Raw
from tests.fakes.definition import KeySchema, TableDefinition

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import WriteRequestTypeDef

pytestmark = pytest.mark.xdist_group("embedded")

COLLECTIONS = 150
TABLE: dict[str, Any] = {"table": "Faults", "segments": 12, "workers": 2}


@pytest.fixture(scope="module", autouse=True)
def faults_table(deployment: Deployment) -> None:
    deployment.load(TableDefinition("Faults", KeySchema.of(("pk", "S"), ("sk", "N"))))
    puts: list[WriteRequestTypeDef] = [
        {"PutRequest": {"Item": {"pk": {"S": f"p{pk}"}, "sk": {"N": str(sk)}, "body": {"B": bytes(1500)}}}}
        for pk in range(COLLECTIONS)
        for sk in range(1 + pk % 4)
    ]
    for start in range(0, len(puts), 25):
        deployment.account.dynamodb.batch_write_item(RequestItems={"Faults": puts[start : start + 25]})


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


def assert_exact(deployment: Deployment, output: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest, once its parts hold every key of the table once and its counts agree."""
    assert sorted(key["pk"] for key in deployment.keys(output)) == sorted(f"p{pk}" for pk in range(COLLECTIONS))
    manifest = deployment.manifest(output)
    assert manifest["keys"] == output["keys"] == sum(part["keys"] for part in manifest["parts"]) == COLLECTIONS
    assert (manifest["complete"], manifest["segments_left"]) == (True, 0)
    return manifest


def objects(deployment: Deployment, run: str, kind: str) -> list[str]:
    bucket = deployment.outputs["BucketName"]
    found = deployment.account.s3.list_objects_v2(Bucket=bucket, Prefix=f"skipscan/Faults/runs/{run}/{kind}")
    return [entry["Key"] for entry in found.get("Contents", [])]


@pytest.mark.long
def test_killed_lambdas(deployment: Deployment, surroundings: Surroundings) -> None:
    plan, scan, finish = (f"skipscan-e2e-{state}" for state in ("plan", "scan", "finish"))
    at_s3 = Killer(
        deployment.account.endpoint,
        [
            (plan, "PUT .*/plan.json", "after"),
            (scan, "PUT .*/checkpoints/", "after"),
            (scan, "PUT .*/part-00001", "before"),
            (scan, "PUT .*/part-00002", "after"),
            (finish, "PUT .*/manifest.json", "before"),
            (finish, "PUT .*/manifest.json", "after"),
        ],
    )
    at_dynamodb = Killer(deployment.account.endpoint, [(scan, "Scan", "before"), (scan, "Scan", "after")])
    with surroundings.s3.failing(at_s3), surroundings.dynamodb.failing(at_dynamodb):
        output = deployment.run("killed", **TABLE)

    assert_exact(deployment, output)
    assert (len(at_s3.hits), len(at_dynamodb.hits)) == (6, 2)
    history = deployment.account.stepfunctions.get_execution_history(
        executionArn=deployment.execution("killed"), maxResults=1000
    )
    # The history holds the failed attempts of Plan and Finish; those of workers are in others, which MiniStack lacks.
    events = Counter(event["type"] for event in history["events"])
    assert events["LambdaFunctionFailed"] + events["TaskFailed"] == 3, events
    # Two attempts died between their checkpoint and their part, and left checkpoints that mean nothing.
    assert len(objects(deployment, "killed", "checkpoints")) >= len(objects(deployment, "killed", "keys")) + 2


def test_the_dynamodb_engine_stops_and_starts_again(
    deployment: Deployment, surroundings: Surroundings, pool: ThreadPoolExecutor
) -> None:
    pages: Counter[str] = Counter()
    reached, stopped = Event(), Event()

    def stop_at_five(call: Call) -> ProxyResponse | None:
        pages[call.name] += 1
        if pages["Scan"] >= 5:
            reached.set()
            assert stopped.wait(SECONDS)  # or the run might end before the engine does
        return call.forward()

    cuts = surroundings.dynamodb.cuts
    with surroundings.dynamodb.failing(stop_at_five):
        running = pool.submit(deployment.run, **TABLE)
        assert reached.wait(SECONDS)
        surroundings.engine.stop()
        stopped.set()
        wait_for(lambda: surroundings.dynamodb.cuts >= cuts + 10)
        surroundings.engine.start()
        output = running.result(SECONDS)
    assert surroundings.dynamodb.cuts >= cuts + 10
    assert_exact(deployment, output)


def reset(call: Call) -> ProxyResponse | None:
    return None


def lost(call: Call) -> ProxyResponse | None:
    call.forward()
    return None


def s3_error(status: int, code: str) -> Fault:
    body = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
    return lambda call: ProxyResponse(status, b"" if call.name.startswith("HEAD ") else body)


class Every:
    """Lets one call in so many of a name, with these bytes in its body, meet the next of some faults, in turn."""

    def __init__(
        self, calls: int, name: str, body: bytes = b"", *, otherwise: Fault = Proxy.forward, **faults: Fault
    ) -> None:
        self._calls, self._name, self._body = calls, name, body
        self._otherwise = otherwise
        self._faults = cycle(faults.items())
        self._lock = Lock()
        self._seen = 0
        self.hits: Counter[str] = Counter()

    def __call__(self, call: Call) -> ProxyResponse | Raw | None:
        with self._lock:
            is_meant = self._name in call.name and self._body in call.body
            self._seen += is_meant
            is_hit = is_meant and self._seen % self._calls == 0
            kind, fault = next(self._faults) if is_hit else ("", self._otherwise)
            self.hits[kind] += is_hit
        return fault(call)


@pytest.mark.long
def test_s3_refuses_fails_and_loses_answers(deployment: Deployment, surroundings: Surroundings) -> None:
    conflicts = Every(3, "/part-", conflict=s3_error(409, "ConditionalRequestConflict"))
    faults = Every(
        4,
        "/Faults/",
        otherwise=lambda call: conflicts(call) if call.name.startswith("PUT ") else call.forward(),
        lost=lost,
        slow_down=s3_error(503, "SlowDown"),
        error=s3_error(500, "InternalError"),
        reset=reset,
    )
    with surroundings.s3.failing(faults):
        output = deployment.run(**TABLE)
    assert_exact(deployment, output)
    hits = faults.hits + conflicts.hits
    assert min(hits[kind] for kind in ("lost", "slow_down", "error", "conflict", "reset")) >= 1, hits


def stopped(deployment: Deployment, held: Held, pool: ThreadPoolExecutor, run: str) -> None:
    """Start a run, and stop it when one of its parts is held."""
    running = pool.submit(deployment.run, run, **TABLE)
    assert held.reached.wait(SECONDS)
    deployment.account.stepfunctions.stop_execution(executionArn=deployment.execution(run))
    with pytest.raises(ExecutionError, match="ABORTED"):
        running.result(SECONDS)
    assert objects(deployment, run, "manifest") == []


def test_a_stopped_run_is_resumed_while_its_workers_live_on(
    deployment: Deployment, surroundings: Surroundings, pool: ThreadPoolExecutor
) -> None:
    with holding(surroundings.s3, "worker-0000/part-00001") as zombie:
        stopped(deployment, zombie, pool, "stopped")
        output = deployment.run(table="Faults", resume="stopped")
        manifest = assert_exact(deployment, output)
    assert set(zombie.answers) == {412}  # it was late with its part
    assert (output["run"], assert_exact(deployment, output)) == ("stopped", manifest)
    full = filter(deployment.read, objects(deployment, "stopped", "keys"))  # a batch without keys has an empty part
    assert [part["name"] for part in manifest["parts"]] == list(full)


def is_planned(deployment: Deployment, run: str) -> bool:
    """Return whether an execution is past its first state."""
    client = deployment.account.stepfunctions
    try:
        events = client.get_execution_history(executionArn=deployment.execution(run), maxResults=1000)["events"]
    except client.exceptions.ExecutionDoesNotExist:
        return False
    return any(event.get("stateExitedEventDetails", {}).get("name") == "Plan" for event in events)


@pytest.mark.long
def test_a_run_is_resumed_twice_at_once(
    deployment: Deployment, surroundings: Surroundings, pool: ThreadPoolExecutor
) -> None:
    together = Together("worker-0000/part-00001")
    end = Held("runs/twice/manifest.json", together)
    names = ["twice-1", "twice-2"]
    with holding(surroundings.s3, "worker-0000/part-00001", end) as zombie:
        stopped(deployment, zombie, pool, "twice")
        resumed = [pool.submit(deployment.run, name, table="Faults", resume="twice") for name in names]
        wait_for(lambda: all(is_planned(deployment, name) for name in names) or any(each.done() for each in resumed))
        end.release()
        outputs = [each.result(SECONDS) for each in resumed]
    assert sorted(together.answers.values()) == [200, 412]
    assert outputs[0] == outputs[1]
    assert_exact(deployment, outputs[0])
