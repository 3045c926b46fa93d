"""Reads a profile of a real table: random segments whole, one page after the other."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws import table
from skipscan.aws.answer import parse_page
from skipscan.aws.faults import scrub
from skipscan.aws.services import DynamoDBClient
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.parameters import after
from skipscan.dynamodb.prices import Prices
from skipscan.listing.aws.sampling import paced
from skipscan.listing.execution_input import parse
from skipscan.listing.planning import plan_listing
from skipscan.pace.amounts import UNLIMITED, Amounts
from skipscan.pace.bill import affordable_reads, amounts
from skipscan.pace.pace import Pace
from skipscan.profile.profiling import Circumstances, ExpirySetting, profiled
from skipscan.profile.segments import ReadingPlan, SegmentPage, SegmentReader
from skipscan.profile.table_profile import TableProfile

NO_EXPIRY = "time to live: these credentials do not allow dynamodb:DescribeTimeToLive"
WITHOUT_EXPIRY = {
    "AccessDeniedException": NO_EXPIRY,
    "UnknownOperationException": "time to live: this endpoint does not know DescribeTimeToLive",  # another engine
}
"""Why a profile has no time to live, by the code of the refusal."""


@dataclass(frozen=True)
class Profiling:
    """A profile that can be read. `plan`: what that takes. `dollars`: the most it costs, at prices on demand."""

    client: DynamoDBClient
    of: Circumstances
    plan: ReadingPlan
    rate: float | None

    @classmethod
    def of_table(
        cls,
        client: DynamoDBClient,
        name: str,
        prices: Callable[[bool], Prices],
        *,
        max_dollars: float,
        max_read_units_per_second: float | None,
        seed: int,
    ) -> "Profiling":
        """Describe a table; raise `TableError` for one that cannot be read, `InputError` for a budget below a page.

        The budget counts prices on demand, also for a table with provisioned capacity.
        """
        description = table.describe(client, name)
        priced = prices(description.is_infrequent_access)
        asked = {"table": name, "max_read_units_per_second": max_read_units_per_second}
        decided = plan_listing(parse({key: value for key, value in asked.items() if value is not None}), description)
        expiry, missing = expiry_of(client, name)
        now = time.time()
        of = Circumstances(
            table=name,
            region=client.meta.region_name,
            made=datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds"),
            now=now,
            seed=seed,
            description=description,
            expiry=expiry,
            prices=priced,
            missing=missing,
        )
        units = affordable_reads(priced, replace(UNLIMITED, dollars=max_dollars))
        plan = ReadingPlan.of(description.size_bytes, units, decided.step_units)
        return cls(client, of, plan, decided.max_read_units_per_second)

    def read(self, shown: Callable[[Amounts, int], None] = lambda _amounts, _segments: None) -> TableProfile:
        """Return the profile. Ctrl-C ends the reading, and the profile is of what was read before.

        `shown`: is called after each page with what was consumed, and the segments that were read.
        """
        reader = SegmentReader(self.plan, self.of.rules, self.of.seed)
        pace = Pace(self.rate, random.random)
        pages = reader.pages()
        try:
            ask = next(pages)
            while True:
                ask = pages.send(self._page(ask, pace))
                shown(self._consumed(reader), len(reader.read.tallies))
        except StopIteration:
            pass
        except KeyboardInterrupt:
            if not reader.read.requests:
                raise
        return profiled(reader.finish(), self.of)

    def _consumed(self, reader: SegmentReader) -> Amounts:
        return amounts(self.of.prices, reader.read.read_units)

    def _page(self, ask: SegmentPage, pace: Pace) -> Page:
        asked: dict[str, Any] = {
            "TableName": self.of.table,
            "Segment": ask.segment,
            "TotalSegments": ask.segments,
            "ReturnConsumedCapacity": "TOTAL",
            **after(ask.start_key),
        }
        try:
            return paced(pace, ask.segment, self.plan.step_units, lambda: parse_page(self.client.scan(**asked)))
        except Exception as error:
            raise scrub(error) from None


def expiry_of(client: DynamoDBClient, name: str) -> tuple[ExpirySetting | None, list[str]]:
    """Return the table's time to live, and the reason if it cannot be read."""
    try:
        answer = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    except ClientError as error:
        reason = WITHOUT_EXPIRY.get(error.response["Error"]["Code"])
        if reason is None:
            raise
        return None, [reason]
    status = answer.get("TimeToLiveStatus", "DISABLED")
    return ExpirySetting(answer.get("AttributeName") if status.startswith("ENABL") else None, status), []
