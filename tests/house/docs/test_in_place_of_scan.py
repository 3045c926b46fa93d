"""The page "In place of scan and set()": what its code finds and reads, over a table in memory."""

import re
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import Faulty

BLOCKS = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TENANTS = [f"tenant {number:02}" for number in range(60)]


def page(scan: Callable[..., Any], asked: dict[str, Any]) -> Any:
    if asked.get("ProjectionExpression") == "tenant":
        del asked["ProjectionExpression"]  # the fake takes placeholders alone; it changes nothing of what is read
    return scan(**{**asked, "ReturnConsumedCapacity": "TOTAL"})


@pytest.fixture
def client() -> Faulty:
    """DynamoDB with 3 MB of documents of 60 tenants."""
    engine, text = FakeDynamoDB(), {"S": "x" * 2_500}
    items: Any = [{"tenant": {"S": tenant}, "id": {"N": str(n)}, "text": text} for tenant in TENANTS for n in range(20)]
    engine.add(TableDefinition("Documents", KeySchema.of(("tenant", "S"), ("id", "N"))), items)
    return Faulty(engine, {"scan": repeat(page)})


@pytest.mark.parametrize(
    ("place", "finds_all", "is_cheap"), [(0, False, False), (1, True, True), (2, True, False), (3, True, True)]
)
def test_each_piece_of_code_is_as_the_page_says(client: Faulty, place: int, finds_all: bool, is_cheap: bool) -> None:
    code = BLOCKS.findall(Path("docs/in-place-of-scan.md").read_text(encoding="utf-8"))
    assert len(code) == 4
    room: dict[str, Any] = {}
    exec(code[place], room)  # noqa: S102 (the page's own code)
    found = room["tenants"](client)
    assert set(found) <= set(TENANTS)
    read_units = sum(call.answer["ConsumedCapacity"]["CapacityUnits"] for call in client.calls if call.name == "scan")
    assert (found == TENANTS, read_units < 100) == (finds_all, is_cheap)
