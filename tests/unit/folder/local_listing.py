"""A listing into a folder by the command's own code, over a table in memory, in batches of a few pages."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from skipscan.dynamodb.prices import default_prices
from skipscan.library import into_folder
from skipscan.library.into_folder import BATCH, FolderListing
from skipscan.listing.execution_input import parse
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB

ORDERS = TableDefinition("Orders", KeySchema.of(("customer", "S"), ("placed", "N")))
PAYLOAD = {"B": bytes(3000)}
CUSTOMERS = [f"customer {number}" for number in range(40)]


class Client:
    """DynamoDB with a table of orders. `on_scan`: is called before every page."""

    def __init__(self) -> None:
        self.engine: Any = FakeDynamoDB()
        items: list[Any] = [
            {"customer": {"S": customer}, "placed": {"N": str(n)}, "payload": PAYLOAD}
            for customer in CUSTOMERS
            for n in range(3)
        ]
        self.engine.add(ORDERS, items)
        self.meta = SimpleNamespace(region_name="us-east-1", endpoint_url="http://localhost")
        self.on_scan: Callable[[], object] = lambda: None
        self.scans = 0
        self._lock = Lock()

    def scan(self, **asked: Any) -> Any:
        with self._lock:
            self.scans += 1
        self.on_scan()
        return self.engine.scan(**asked)

    def query(self, **asked: Any) -> Any:
        return self.engine.query(**asked)

    def describe_table(self, **asked: Any) -> Any:
        return self.engine.describe_table(**asked)

    def list_tables(self) -> Any:
        return self.engine.list_tables()


def listing(folder: Path, client: Client | None = None, **asked: Any) -> FolderListing:
    given = {"table": "Orders", "workers": 1, "segments": 4, **asked}
    made: Any = client or Client()
    return FolderListing(
        folder, parse(given), made, lambda is_infrequent: default_prices(is_infrequent_access=is_infrequent)
    )


def few_pages() -> Any:
    """Return what lets batches end after three pages."""
    return patch.object(into_folder, "BATCH", replace(BATCH, pages=3))


def months(customers: int) -> tuple[Any, set[tuple[str, str]]]:
    """Return DynamoDB with a table of orders, of customers with one month or with twelve; and all months of each."""
    held = {
        (f"c-{number}", f"2026-{month:02}")
        for number in range(customers)
        for month in range(1, 13 if number % 4 == 0 else 2)
    }
    made = Client()
    made.engine.add(
        TableDefinition("Months", KeySchema.of(("customer", "S"), ("placed", "S"))),
        [
            {"customer": {"S": customer}, "placed": {"S": f"{month}-{day}"}, "pad": {"S": "x" * 300}}
            for customer, month in held
            for day in (10, 11)
        ],
    )
    return made, held
