"""A profile from this machine, for the command and the library."""

from functools import partial
from typing import Any

import boto3

from skipscan.aws.table import describe_if_allowed
from skipscan.inputs.fields import CENT
from skipscan.library.patience import near_table, retried
from skipscan.library.stream import seed_or_new
from skipscan.listing import price_requests
from skipscan.listing.execution_input import parse
from skipscan.pace.bill import bounded
from skipscan.profile.requests import Profiling


def profiling_of(
    table: str,
    session: boto3.Session,
    client: Any,
    *,
    is_aws: bool,
    seed: int | None,
    **bounds: float | None,
) -> Profiling:
    """Return the reading of a table, not started; raise `InputError` or `TableError`.

    `is_aws`: whether the client's endpoint has AWS's prices. `bounds`: fields of an input, `max_read_units_per_second`
    and `max_dollars`: of read units, at prices on demand; default: a cent.
    """
    # Checks the name and the bounds as Plan does.
    requested = parse({"table": table, **bounds})
    region, seed = client.meta.region_name, seed_or_new(seed)

    def profiling() -> Profiling:
        price_list = price_requests.pricing_client(session) if is_aws else None
        description = describe_if_allowed(client, table, partial(near_table, client, table))
        is_infrequent = description is None or description.is_infrequent_access
        return Profiling.of_table(
            client,
            table,
            description,
            bounded(None, None, requested.max_dollars or CENT),
            prices=price_requests.prices(price_list, region, is_infrequent_access=is_infrequent),
            monthly=price_requests.monthly(price_list, region),
            rate=requested.max_read_units_per_second,
            seed=seed,
        )

    return retried(profiling)
