"""`skipscan plan` as a program: started from a shell, against a DynamoDB that answers over HTTP."""

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from local import sample_table
from tests.unit.cli.command import Done
from tests.unit.cli.conftest import Told

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

VARIABLES = {
    "PATH": os.environ["PATH"],
    "AWS_CONFIG_FILE": "/nowhere",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": "us-east-1",
    "COLUMNS": "120",
}
CUSTOMERS = {f"customer {n}": 1 + n % 9 for n in range(400)}


@pytest.fixture(scope="session")
def plan_orders(shared_dynamodb: "DynamoDBClient") -> str:
    sample_table.create(shared_dynamodb, "PlanOrders")
    sample_table.load(shared_dynamodb, "PlanOrders", CUSTOMERS)
    return "PlanOrders"


def plan(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "skipscan", "plan", *arguments]
    return subprocess.run(command, env=VARIABLES, capture_output=True, text=True, check=False)


def test_prints_every_way_and_the_choice(plan_orders: str, dynalite: str) -> None:
    done = plan(plan_orders, "--endpoint-url", dynalite)
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("partition keys", "skip scan, Limit=1", "full scan", "Segments:", "Prices: us-east-1, 2024-11"):
        assert words in done.stdout


def test_json_is_the_document_of_a_dry_run_and_a_seed_repeats_it(plan_orders: str, dynalite: str, told: Told) -> None:
    arguments = (plan_orders, "--endpoint-url", dynalite, "--json", "--seed", "5")
    first = plan(*arguments)
    assert told("plan", *arguments) == Done(0, first.stdout, first.stderr)
    document = json.loads(first.stdout)
    assert document["sample"]["seed"] == 5
    assert document["keys"]["low"] <= len(CUSTOMERS) <= document["keys"]["high"]
