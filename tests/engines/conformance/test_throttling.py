"""How DynamoDB refuses requests when a table's throughput is used up."""

from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.faults import fault
from skipscan.pace.pace import Fault
from tests.engines.conformance.engine import Engine
from tests.fakes.definition import KeySchema, TableDefinition

REQUESTS = 60
"""Of 20 read units each: several times what five minutes of the capacity have saved up."""


@dataclass(frozen=True)
class Slow(TableDefinition):
    """A table of one read unit a second, on demand or provisioned."""

    on_demand: bool = True

    def request(self) -> dict[str, Any]:
        if self.on_demand:
            return {**super().request(), "OnDemandThroughput": {"MaxReadRequestUnits": 1}}
        throughput = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 10}
        return {**super().request(), "BillingMode": "PROVISIONED", "ProvisionedThroughput": throughput}


@pytest.mark.parametrize("on_demand", [True, False], ids=["on-demand", "provisioned"])
def test_a_table_above_its_throughput_says_why(engine: Engine, on_demand: bool) -> None:
    table = Slow(f"slow-{on_demand}", KeySchema.of(("pk", "S"), ("sk", "N")), on_demand=on_demand)
    engine.load(
        table, [{"pk": {"S": "a"}, "sk": {"N": str(number)}, "body": {"B": bytes(4056)}} for number in range(20)]
    )
    with pytest.raises(ClientError) as refused:
        _read(engine, table.name)
    response: Any = refused.value.response
    assert fault(refused.value) in (Fault.CAPACITY, Fault.KEY_RANGE)
    assert response["ThrottlingReasons"]


def _read(engine: Engine, table: str) -> None:
    for _ in range(REQUESTS):
        engine.scan(TableName=table, ConsistentRead=True)
