"""Jobs of the deployed state machine Act, on a real engine, with a real function and a real queue."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from local.checkout import REGION
from tests.engines.e2e.conftest import QUEUE, RECEIVER, Deployment
from tests.engines.e2e.receiver import deployed, queues, received
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition

pytestmark = pytest.mark.xdist_group("embedded")

COLLECTIONS = 40
MARKER = {"item": {"sk": "#static", "GSI-pk": "{pk}"}}


@pytest.fixture(scope="module")
def marked_run(deployment: Deployment) -> str:
    """A finished run over a table with a sparse index that is still empty."""
    index = IndexDefinition("markers", KeySchema.of(("GSI-pk", "S"), ("sk", "S")), projection="KEYS_ONLY")
    items: Iterator[Item] = (
        {"pk": {"S": f"p{pk}"}, "sk": {"S": f"{sk}"}} for pk in range(COLLECTIONS) for sk in range(3)
    )
    deployment.load(TableDefinition("Marked", KeySchema.of(("pk", "S"), ("sk", "S")), (index,)), items)
    output = deployment.run(table="Marked", segments=4)
    assert output["keys"] == COLLECTIONS
    assert f"{COLLECTIONS} distinct partition keys" in page(deployment, output["report"], f"runs/{output['run']}")
    return str(output["run"])


def scanned(deployment: Deployment) -> list[dict[str, Any]]:
    return list(deployment.account.dynamodb.scan(TableName="Marked")["Items"])


def test_markers_are_put_listed_by_their_index_and_undone(deployment: Deployment, marked_run: str) -> None:
    before = scanned(deployment)
    dry = deployment.act(marked_run, put_item=MARKER, dry_run=True)
    assert (dry["keys"], dry["write_units"]) == (COLLECTIONS, 2 * COLLECTIONS)
    assert len(scanned(deployment)) == len(before)

    job = deployment.act(marked_run, put_item=MARKER, workers=1)
    assert (job["put"], job["keys"]) == (COLLECTIONS, COLLECTIONS)
    first = (
        job["requests"] - COLLECTIONS
    )  # a new function environment has both clients read the first key before it writes
    assert first in {0, 1}
    assert job["read_units"] <= first
    assert job["write_units"] == COLLECTIONS  # this engine leaves out what indexes consume
    assert page(deployment, job["report"], f"acts/{job['act']}").startswith("<!doctype html>")

    listed = deployment.run(table="Marked", index="markers")
    assert {key["GSI-pk"] for key in deployment.keys(listed)} == {f"p{n}" for n in range(COLLECTIONS)}

    undone = deployment.act(marked_run, undo=job["act"])
    assert undone["deleted"] == COLLECTIONS
    assert sorted(map(str, scanned(deployment))) == sorted(map(str, before))
    assert deployment.run(table="Marked", index="markers")["keys"] == 0


def test_items_that_a_run_listed_are_deleted_and_put_back(deployment: Deployment, marked_run: str) -> None:
    before = scanned(deployment)
    take = {"items": "all", "beyond": 1, "order": "descending"}
    listed = deployment.run(table="Marked", format="dynamodb-jsonl", take=take)
    assert listed["keys"] == 2 * COLLECTIONS
    job = deployment.act(listed["run"], delete_listed={"max_deletes": 2 * COLLECTIONS})
    assert job["deleted"] == 2 * COLLECTIONS
    assert {item["sk"]["S"] for item in scanned(deployment)} == {"2"}
    assert deployment.act(listed["run"], undo=job["act"])["put"] == 2 * COLLECTIONS
    assert sorted(map(str, scanned(deployment))) == sorted(map(str, before))


def page(deployment: Deployment, link: str, folder: str) -> str:
    """Return the report that the output of an execution links to."""
    assert link.startswith(f"https://{REGION}.console.aws.amazon.com/s3/object/{deployment.outputs['BucketName']}?")
    name = f"skipscan/Marked/{folder}/report.html"
    assert parse_qs(urlsplit(link).query) == {"region": [REGION], "prefix": [name]}
    stored = deployment.account.s3.get_object(Bucket=deployment.outputs["BucketName"], Key=name)
    assert stored["ContentType"] == "text/html; charset=utf-8"
    return stored["Body"].read().decode()


def test_keys_are_handed_to_a_function(deployment: Deployment, marked_run: str) -> None:
    url = deployed(deployment.account, "receiver")
    job = deployment.act(marked_run, invoke={"function": RECEIVER, "keys_per_call": 15}, workers=1)
    assert (job["sent"], job["failed"]) == (COLLECTIONS, 0)
    keys = [key["pk"] for event in received(deployment.account, url) for key in event["keys"]]
    assert sorted(keys) == sorted(f"p{n}" for n in range(COLLECTIONS))


def test_keys_are_sent_to_a_queue(deployment: Deployment, marked_run: str) -> None:
    url = queues(deployment.account).create_queue(QueueName=QUEUE.rpartition(":")[2])["QueueUrl"]
    job = deployment.act(marked_run, send={"queue": QUEUE, "keys_per_message": 3})
    bodies = list(received(deployment.account, url))
    assert (job["sent"], {body["run"] for body in bodies}) == (COLLECTIONS, {marked_run})
    assert sorted(key["pk"] for body in bodies for key in body["keys"]) == sorted(f"p{n}" for n in range(COLLECTIONS))
