"""The page "In place of scan and set()": what its code finds and reads, over a table in memory."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB

BLOCKS = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TENANTS = [f"tenant {number:02}" for number in range(60)]


class Client:
    """DynamoDB with 3 MB of documents of 60 tenants. `read_units`: of all pages that were asked for."""

    def __init__(self) -> None:
        self.engine = FakeDynamoDB()
        self.meta = SimpleNamespace(region_name="us-east-1", endpoint_url="http://localhost")
        self.read_units = 0.0
        text = {"S": "x" * 2_500}
        items: Any = [
            {"tenant": {"S": tenant}, "id": {"N": str(n)}, "text": text} for tenant in TENANTS for n in range(20)
        ]
        self.engine.add(TableDefinition("Documents", KeySchema.of(("tenant", "S"), ("id", "N"))), items)

    def scan(self, **asked: Any) -> Any:
        if asked.get("ProjectionExpression") == "tenant":
            del asked["ProjectionExpression"]  # the fake takes placeholders alone; it changes nothing of what is read
        page = self.engine.scan(**{**asked, "ReturnConsumedCapacity": "TOTAL"})
        self.read_units += page["ConsumedCapacity"]["CapacityUnits"]
        return page

    def describe_table(self, **asked: Any) -> Any:
        return self.engine.describe_table(**asked)


@pytest.mark.parametrize(
    ("place", "finds_all", "is_cheap"), [(0, False, False), (1, True, True), (2, True, False), (3, True, True)]
)
def test_each_piece_of_code_is_as_the_page_says(place: int, finds_all: bool, is_cheap: bool) -> None:
    code = BLOCKS.findall(Path("docs/in-place-of-scan.md").read_text(encoding="utf-8"))
    assert len(code) == 4
    room: dict[str, Any] = {}
    exec(code[place], room)  # noqa: S102 (the page's own code)
    client = Client()
    found = room["tenants"](client)
    assert set(found) <= set(TENANTS)
    assert (found == TENANTS, client.read_units < 100) == (finds_all, is_cheap)
