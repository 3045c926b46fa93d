"""`skipscan plan` prices a table by its class, whatever engine it is on."""

import json
from typing import Any

import pytest

from skipscan.aws import clients
from skipscan.errors import InputError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.unit.cli.conftest import Told


@pytest.mark.parametrize(
    ("table_class", "dollars_per_million"), [("STANDARD", 0.125), ("STANDARD_INFREQUENT_ACCESS", 0.15625)]
)
def test_a_table_of_another_endpoint_has_the_default_prices_of_its_class(
    told: Told, monkeypatch: pytest.MonkeyPatch, table_class: str, dollars_per_million: float
) -> None:
    def of_class(table: dict[str, Any]) -> None:
        table["TableClassSummary"] = {"TableClass": table_class}

    tables = FakeDynamoDB()
    tables.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N"))))
    monkeypatch.setattr(clients, "dynamodb", lambda *_, **__: described(tables, of_class))
    done = told("plan", "Orders", "--endpoint-url", "http://localhost:8000", "--json")
    assert done.status == 0
    assert json.loads(done.stdout)["prices"]["read_units"]["dollars_per_million"] == dollars_per_million


@pytest.mark.parametrize("command", ["plan", "keys"])
def test_a_table_of_another_region_names_the_option(told: Told, command: str) -> None:
    arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/Orders"
    done = told(command, arn, "--endpoint-url", "http://localhost:8000", "--region", "us-east-1")
    done.check_refused(InputError, "table", arn, "region", rule="us-east-1", way="eu-west-1")
    assert "use --region eu-west-1" in done.stderr
