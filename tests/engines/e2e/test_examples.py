"""The examples that use the keys of a run, each on what a deployed run has written."""

import json
import re
import runpy
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pytest

from local.checkout import ACCOUNT, REGION, ROOT
from local.execution import execute
from tests.engines.e2e.conftest import Deployment
from tests.engines.e2e.receiver import ROLE, deployed, received
from tests.fakes.attribute_value import AttributeValue, KeyType
from tests.fakes.definition import KeySchema, TableDefinition

pytestmark = pytest.mark.xdist_group("embedded")

EXAMPLES = ROOT / "examples"
KEYS: dict[KeyType, list[Any]] = {
    "S": [
        "plain",
        "007",
        "2026-01-31",
        "line\nend\r\u2028",
        'it\'s "so" \\n',
        " -rf $(x) `y` %s",
        "größe 🔑",
        "a\0b",
        "{}",
    ],
    "N": ["0.1", "-7.5", "9" * 38, "12345678901234567890.123456789012345678", "1" + "0" * 125, "7"],
    "B": [b"\xff\xfe\0", b"plain", b"\n"],
}


class Fetched:
    """A run in a local folder, as `aws s3 sync s3://<bucket>/skipscan/<table>/runs/<run>/ run/` copies it."""

    def __init__(self, deployment: Deployment, kind: KeyType, folder: Path) -> None:
        table = f"Example-{kind}"
        schema = KeySchema.of(("customer", kind), ("place", "N"))
        keys: list[AttributeValue] = [{kind: key} for key in KEYS[kind]]
        items = ({"customer": key, "place": {"N": str(place)}} for key in keys for place in range(3))
        deployment.load(TableDefinition(table, schema), items)
        self.output = deployment.run(table=table, segments=3)
        self.root = f"skipscan/{table}/runs/{self.output['run']}/"
        self.bucket = deployment.outputs["BucketName"]
        self.folder = folder / "run"
        s3 = deployment.account.s3
        for entry in s3.list_objects_v2(Bucket=self.bucket, Prefix=self.root)["Contents"]:
            file = self.folder / entry["Key"].removeprefix(self.root)
            file.parent.mkdir(parents=True, exist_ok=True)
            s3.download_file(self.bucket, entry["Key"], str(file))
        self.manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text())

    def parts(self) -> list[Path]:
        return sorted(self.folder.glob("keys/*/*.jsonl"))


@pytest.fixture(scope="module")
def fetched(deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> dict[KeyType, Fetched]:
    return {kind: Fetched(deployment, kind, tmp_path_factory.mktemp(kind)) for kind in KEYS}


@pytest.mark.parametrize("kind", KEYS)
def test_pandas_reads_every_kind_of_key_exactly(fetched: dict[KeyType, Fetched], kind: KeyType) -> None:
    read_keys = runpy.run_path(str(EXAMPLES / "pandas_keys.py"))["read_keys"]
    frame = read_keys(fetched[kind].folder)
    assert list(frame) == ["customer"]
    expected = [Decimal(key) for key in KEYS["N"]] if kind == "N" else KEYS[kind]
    assert sorted(frame["customer"]) == sorted(expected)


def test_the_athena_table_has_the_location_of_the_parts_and_its_query_runs(fetched: dict[KeyType, Fetched]) -> None:
    run = fetched["S"]
    ddl, query, _ = (EXAMPLES / "athena.sql").read_text().replace("/Orders/", "/Example-S/").split(";")
    [place] = re.findall(r"'storage.location.template' = 's3://BUCKET/(.*)'", ddl)
    assert place == f"{run.root}keys/".replace(run.output["run"], "${skipscan_run}")
    assert all(
        part["name"].startswith(place.replace("${skipscan_run}", run.output["run"])) for part in run.manifest["parts"]
    )
    assert place.startswith(re.findall(r"LOCATION 's3://BUCKET/(.*)'", ddl)[0])
    columns = dict(re.findall(r"^  (\w+) (\w+)$", ddl, re.MULTILINE))
    assert columns == {attribute["name"]: "string" for attribute in run.manifest["partition_key"]}

    database = duckdb.connect()
    database.execute(
        f"CREATE VIEW orders_keys AS SELECT *, '{run.output['run']}' AS skipscan_run FROM read_json("  # noqa: S608
        f"'{run.folder}/keys/*/*.jsonl', format = 'newline_delimited', columns = {{customer: 'VARCHAR'}})"
    )
    found = dict(database.execute(query.replace("RUN'", f"{run.output['run']}'")).fetchall())
    assert sum(found.values()) == len(KEYS["S"])
    assert found["00"] == 1


def test_xargs_hands_over_every_key_as_one_argument(fetched: dict[KeyType, Fetched]) -> None:
    content = b"".join(part.read_bytes() for part in fetched["S"].parts())
    tell = "import sys, json; print(json.dumps([json.loads(a)['customer'] for a in sys.argv[1:]]))"
    command = [str(EXAMPLES / "xargs.sh"), sys.executable, "-I", "-S", "-c", tell]
    done = subprocess.run(command, input=content, capture_output=True, check=True)
    [received] = map(json.loads, done.stdout.splitlines())
    assert sorted(received) == sorted(KEYS["S"])
    assert subprocess.run(command, input=b"", capture_output=True, check=True).stdout == b""


@pytest.mark.long
def test_the_distributed_map_calls_a_function_with_every_key(
    deployment: Deployment, fetched: dict[KeyType, Fetched]
) -> None:
    run = fetched["S"]
    url = deployed(deployment.account, "seer")
    definition = (EXAMPLES / "distributed-map.json").read_text()
    machine = deployment.account.stepfunctions.create_state_machine(
        name="every-key",
        definition=definition.replace("FUNCTION_ARN", f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:seer"),
        roleArn=ROLE,
    )["stateMachineArn"]
    bucket, _, manifest = str(run.output["manifest"]).removeprefix("s3://").partition("/")
    execute(deployment.account.stepfunctions, machine, {"bucket": bucket, "manifest": manifest}, name=uuid4().hex)
    keys = (key for event in received(deployment.account, url) for key in event.get("Items", [event]))
    assert sorted(key["customer"] for key in keys) == sorted(KEYS["S"])
