"""How DynamoDB refuses requests when a table's throughput is used up."""

from botocore.exceptions import ClientError

from skipscan.aws.faults import fault
from skipscan.pace.pace import Fault
from verify.check import check, hold
from verify.checks.reading import GUIDE
from verify.errors import NotTriedError
from verify.kit import Kit

REASONS = f"{GUIDE}/throttling-diagnosing.html"
SLOWED = "Workers end with an error, or all slow down where one partition is hot."
REQUESTS = 60
"""Of 20 read units each: several times what five minutes of the capacity have saved up."""


def throttled(kit: Kit, table: str) -> str:
    """Return the code and the reasons of the first scan that is refused."""
    name = kit.table(table)
    for number in range(REQUESTS):
        try:
            kit.impatient.scan(TableName=name, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
        except ClientError as error:
            code = error.response["Error"]["Code"]
            listed: object = error.response.get("ThrottlingReasons")
            reasons = [entry.get("reason", "") for entry in listed] if isinstance(listed, list) else []
            seen = f"request {number + 1}: {code}, reasons: {', '.join(reasons) or 'none'}"
            hold(fault(error) in (Fault.CAPACITY, Fault.KEY_RANGE), seen)
            hold(bool(reasons), seen)
            return seen
    raise NotTriedError(f"none of {REQUESTS} scans of 20 read units was refused")


@check(
    "throttled-on-demand",
    "A table on demand above its maximum refuses reads with a code that Skipscan knows and with ThrottlingReasons.",
    source=REASONS,
    breaks=SLOWED,
    tables=("throttled",),
    dollars=0.001,
    seconds=10.0,
)
def throttled_on_demand(kit: Kit) -> str:
    return throttled(kit, "throttled")


@check(
    "throttled-provisioned",
    "So does a table with provisioned capacity.",
    source=REASONS,
    breaks=SLOWED,
    tables=("starved",),
    seconds=10.0,
)
def throttled_provisioned(kit: Kit) -> str:
    return throttled(kit, "starved")
