"""What a time-to-live attribute says of one item (developer guide, "Computing Time to Live (TTL) in DynamoDB")."""

from enum import StrEnum

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.profile.form import EPOCH_SECONDS

YEAR_SECONDS = 365.25 * 86_400
FAR_YEARS = 10
OLD_YEARS = 5
"""DynamoDB deletes nothing that expired longer ago."""


class Expiry(StrEnum):
    FUTURE = "in the future"
    PAST = "in the past, not deleted yet"
    OLD = "more than five years in the past, never deleted"
    FAR = "more than ten years in the future"
    MILLISECONDS = "in milliseconds, never deleted"
    WRONG_TYPE = "not a number, never deleted"


def expiry(value: AttributeValue | None, now: float) -> Expiry | None:
    """Return what a value means at `now` (seconds since 1970); `None` for an item without the attribute."""
    if value is None:
        return None
    ((kind, content),) = value.items()
    if kind != "N":
        return Expiry.WRONG_TYPE
    seconds = float(content)
    if seconds / 1000 >= EPOCH_SECONDS[0]:
        return Expiry.MILLISECONDS
    if seconds < now - OLD_YEARS * YEAR_SECONDS:
        return Expiry.OLD
    if seconds < now:
        return Expiry.PAST
    return Expiry.FAR if seconds > now + FAR_YEARS * YEAR_SECONDS else Expiry.FUTURE
