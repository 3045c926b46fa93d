"""`skipscan plan` prices a table by its class, whatever engine it is on."""

import pytest

from skipscan.errors import InputError
from tests.unit.cli.conftest import Told


@pytest.mark.parametrize("command", ["plan", "keys"])
def test_a_table_of_another_region_names_the_option(told: Told, command: str) -> None:
    arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/Orders"
    done = told(command, arn, "--endpoint-url", "http://localhost:8000", "--region", "us-east-1")
    done.check_refused(InputError, "table", arn, "region", rule="us-east-1", way="eu-west-1")
    assert "use --region eu-west-1" in done.stderr
