"""Reads a profile of a real table: random segments whole, one page after the other."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Self

from botocore.exceptions import ClientError

from skipscan.aws.clients import DynamoDBClient
from skipscan.dynamodb.capacity import GENTLE_SHARE, PARTITION_READ_UNITS, gentle_read_rate
from skipscan.dynamodb.page import STEP_UNITS
from skipscan.dynamodb.prices import MonthlyPrices, Prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import DeniedError
from skipscan.inputs.quantities import in_utc
from skipscan.listing.plan import check_ready
from skipscan.pace.bill import Amounts, amounts, lambda_seconds
from skipscan.profile.circumstances import Circumstances, ExpirySetting
from skipscan.profile.profiling import TableProfile, profiled
from skipscan.profile.segments import ReadingPlan, ReadSegments, SegmentReader
from skipscan.sample.requests import Sampling, whole_items

NO_DESCRIPTION = (
    "item collections, types of items, indexes, class, capacity and the bounds of what a sample misses (dollars are "
    "those of the more expensive class): these credentials do not allow dynamodb:DescribeTable"
)
_OF_ITEMS = "item collections, items, attributes and types of items"
NO_SCAN = f"{_OF_ITEMS}: these credentials do not allow dynamodb:Scan"
NO_KEY = f"{_OF_ITEMS}: these credentials do not allow kms:Decrypt with the table's key, or the key is disabled"
NO_EXPIRY = (
    "time to live: dynamodb:DescribeTimeToLive was refused; credentials must allow it, and DynamoDB answers only in "
    "the table's own account"
)
EXPIRY_REFUSALS = {"AccessDeniedException", "UnknownOperationException"}
"""Without the permission, and of another engine."""

FOREIGN_REFUSALS = {"ResourceNotFoundException", "ValidationException"}
"""How a request may be refused that does not work over accounts. No resource policy can allow this one: DynamoDB
developer guide, https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-iam-actions.html, "Time-to-Live
API operations"."""

UNKNOWN_RATE = GENTLE_SHARE * PARTITION_READ_UNITS
"""Read units a second of a table whose capacity is not known: segments are read one by one, each mostly from one
partition."""


@dataclass(frozen=True)
class Profiling:
    """A profile before its segments are read. `plan`: which segments.

    `gigabytes`: of the function that reads, whose time counts against the budget; 0 where it costs nothing.
    """

    client: DynamoDBClient
    of: Circumstances
    plan: ReadingPlan
    rate: float | None
    gigabytes: float

    @classmethod
    def of_table(
        cls,
        client: DynamoDBClient,
        name: str,
        description: TableDescription | None,
        budget: Amounts,
        *,
        prices: Prices,
        monthly: MonthlyPrices,
        rate: float | None,
        seed: int,
        gigabytes: float = 0.0,
    ) -> Self:
        """Return the profiling of a table; raise `TableError` for one that cannot be read.

        Raise `InputError` for a budget below a page.
        `description`: `None` if it may not be described. `budget`: at prices on demand, also for provisioned capacity.
        `rate`: read units a second; `None`: as the table allows.
        """
        if description is not None:
            check_ready("table", name, description.status)
        if rate is None:
            rate = UNKNOWN_RATE if description is None else gentle_read_rate(description, None)
        expiry, now = expiry_of(client, name), time.time()
        of = Circumstances(
            table=name,
            region=client.meta.region_name,
            made=in_utc(datetime.fromtimestamp(now, UTC)),
            now=now,
            seed=seed,
            description=description,
            expiry=expiry,
            prices=prices,
            monthly=monthly,
            missing=[why for why, found in ((NO_EXPIRY, expiry), (NO_DESCRIPTION, description)) if found is None],
        )
        plan = ReadingPlan.of(description.size_bytes if description else 0, budget, prices)
        return cls(client, of, plan, rate, gigabytes)

    def read(
        self,
        shown: Callable[[Amounts, int], None] = lambda _amounts, _segments: None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> TableProfile:
        """Read the segments and return the profile. Ctrl-C ends the reading, and the profile shows what was read.

        `shown`: is called after each page with what was consumed, and the segments that were read. `is_over`: is asked
        before each page whether time is up.
        """
        start, second = time.monotonic(), lambda_seconds(self.of.prices, self.gigabytes)
        reader = SegmentReader(self.plan, self.of, lambda: second * (time.monotonic() - start))
        pages = Sampling(self.rate, STEP_UNITS).read(reader, partial(whole_items, self.client, self.of.table))
        try:
            if not is_over():
                for _ in pages:
                    shown(amounts(self.of.prices, reader.found.read_units), reader.found.ended)
                    if is_over():
                        break
        except KeyboardInterrupt:
            if not reader.found.requests:
                raise
        except DeniedError as denied:
            return self._without_items(reader, denied)
        return profiled(reader.finish(), self.of)

    def _without_items(self, reader: SegmentReader, denied: DeniedError) -> TableProfile:
        """Return a profile from DescribeTable alone, for a table whose items the caller may not read."""
        if reader.found.requests or self.of.description is None:
            raise denied
        missing = [*self.of.missing, NO_KEY if "KMS key" in str(denied) else NO_SCAN]
        return profiled(ReadSegments(1, []), replace(self.of, missing=missing))


def expiry_of(client: DynamoDBClient, name: str) -> ExpirySetting | None:
    """Return the table's time to live; `None` if it cannot be read."""
    try:
        answer = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    except ClientError as error:
        expected = EXPIRY_REFUSALS | (FOREIGN_REFUSALS if name.startswith("arn:") else set())
        if error.response["Error"]["Code"] not in expected:
            raise
        return None
    status = answer.get("TimeToLiveStatus", "DISABLED")
    return ExpirySetting(answer.get("AttributeName") if status.startswith("ENABL") else None, status)
