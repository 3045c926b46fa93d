"""What a time-to-live attribute says of one item (developer guide, "Computing Time to Live (TTL) in DynamoDB")."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import partial

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


_BY_TIME = (Expiry.OLD, Expiry.PAST, Expiry.FUTURE, Expiry.FAR, Expiry.MILLISECONDS)


def expiries(values: Sequence[AttributeValue], now: float) -> Counter[Expiry]:
    """Return how many values are in each state at `now` (seconds since 1970)."""
    ends = (now - OLD_YEARS * YEAR_SECONDS, now, now + FAR_YEARS * YEAR_SECONDS, 1000 * EPOCH_SECONDS[0])
    numbers = [float(value["N"]) for value in values if "N" in value]
    found = Counter(_BY_TIME[place] for place in map(partial(bisect_right, ends), numbers))
    if others := len(values) - len(numbers):
        found[Expiry.WRONG_TYPE] = others
    return found
