"""How fast a table may be written to by a job that nobody told a rate."""

from collections.abc import Mapping
from typing import Any


def gentle_write_rate(description: Mapping[str, Any]) -> float | None:
    """Return a quarter of the write units a second that are provisioned; `None` where the table is on demand.

    A table's global indexes have capacity of their own, and the scarcest of all bounds a job.
    """
    if description.get("BillingModeSummary", {}).get("BillingMode") == "PAY_PER_REQUEST":
        return None
    provisioned = [
        entry.get("ProvisionedThroughput", {}).get("WriteCapacityUnits", 0)
        for entry in (description, *description.get("GlobalSecondaryIndexes", ()))
    ]
    return min(filter(None, provisioned), default=0) / 4 or None
