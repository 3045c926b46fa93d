"""A deployed run that is stopped while its workers live on; other faults are the matter of `tests.simulation.faults`.

MiniStack has no RedriveExecution, so a run goes on by `resume` here; and its StopExecution leaves the workers running:
they are the zombies of this test.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from local.execution import ExecutionError
from tests.engines.e2e.conftest import Deployment, Surroundings
from tests.engines.e2e.holding import SECONDS, Held, holding
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
