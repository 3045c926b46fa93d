"""A profile from this machine, for the command and the library."""

from typing import Any

import boto3

from skipscan.library.stream import retried, seed_or_new
from skipscan.listing import price_requests
from skipscan.listing.execution_input import parse
from skipscan.pace.bill import bounded
from skipscan.profile.requests import ProfileRequest, Profiling, RegionPrices


def profiling_of(
    table: str,
    session: boto3.Session,
    client: Any,
    *,
    is_aws: bool,
    max_dollars: float,
    max_read_units_per_second: float | None,
    seed: int | None,
) -> Profiling:
    """Return the reading of a table, not started; raise `InputError` or `TableError`.

    `is_aws`: whether the client's endpoint has AWS's prices. `max_dollars`: of read units, at prices on demand.
    """
    # Checks the name and the bounds as Plan does.
    bounds = {"max_read_units_per_second": max_read_units_per_second, "max_dollars": max_dollars}
    rate = parse({"table": table, **bounds}).max_read_units_per_second
    request = ProfileRequest(table, bounded(None, None, max_dollars), rate, seed_or_new(seed))
    prices = RegionPrices(
        price_requests.of_class(session, client.meta.region_name, is_aws=is_aws),
        price_requests.monthly_of_region(session, client.meta.region_name, is_aws=is_aws),
    )
    return retried(lambda: Profiling.of_table(client, request, prices))
