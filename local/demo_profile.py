"""Profiles of three made-up tables on this machine: `python -m local.demo_profile`."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from rich.console import Console

from local.checkout import BUILD
from local.embedded import SESSION, dynamodb_client
from local.ministack import ministack
from local.profile_tables import TABLES, create
from skipscan.aws import clients
from skipscan.dynamodb.page import STEP_BYTES, STEP_UNITS
from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, default_prices
from skipscan.dynamodb.write_units import item_bytes
from skipscan.pace.bill import bounded
from skipscan.profile import CENT
from skipscan.profile.page import profile_page
from skipscan.profile.requests import ProfileRequest, Profiling, RegionPrices
from skipscan.profile.table_profile import TableProfile

PAGES = BUILD / "demo-profile"


def bill_page(*, parsed: Mapping[str, Any], **_event: object) -> None:
    """Replace what MiniStack says that a page costs, half a unit, by what DynamoDB bills: each 4 KB of its items.

    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
    """
    steps = max(1, ceil(sum(map(item_bytes, parsed["Items"])) / STEP_BYTES))
    parsed["ConsumedCapacity"]["CapacityUnits"] = steps * STEP_UNITS


def made(name: str, endpoint: str) -> TableProfile:
    """Create one of the made-up tables, and return its profile."""
    create(dynamodb_client(endpoint), name)
    client = clients.dynamodb(SESSION, connections=1, endpoint_url=endpoint)
    client.meta.events.register("after-call.dynamodb.Scan", bill_page)
    prices = RegionPrices(lambda of: default_prices(is_infrequent_access=of), lambda: MONTHLY_US_EAST_1)
    return Profiling.of_table(client, ProfileRequest(name, bounded(None, None, CENT), None, seed=1), prices).read()


def demonstrate(console: Console) -> None:
    """Write a page for each table, and print its advice."""
    PAGES.mkdir(parents=True, exist_ok=True)
    with ministack(dynamodb=None) as endpoint:
        for name in TABLES:
            profile = made(name, endpoint)
            page = PAGES / f"{name.lower()}.html"
            page.write_text(profile_page(profile), encoding="utf-8")
            console.print(f"[bold]{name}[/]  {page}", soft_wrap=True)
            for advice in profile.advice:
                console.print(f"- {advice.sentence}", markup=False, highlight=False)


if __name__ == "__main__":
    demonstrate(Console())
