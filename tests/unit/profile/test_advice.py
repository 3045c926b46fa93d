"""Each rule speaks for a table that needs it, and is silent for one that does not."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, MonthlyPrices
from skipscan.dynamodb.write_units import item_bytes
from skipscan.profile import item_collections
from skipscan.profile.circumstances import ExpirySetting
from skipscan.profile.profiling import URGENCY, TableProfile
from tests.unit.profile.tables import NOW, Items, index, read

SECONDS, DAY = int(NOW), 86_400
ON, OFF = ExpirySetting("ttl", "ENABLED"), ExpirySetting(None, "DISABLED")
LOCAL = {**index("local"), "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}


def items(count: int = 200, each: int = 1, **attributes: Callable[[int], Mapping[str, Any]]) -> Items:
    return [
        {"pk": {"S": f"k{n // each:06}"}, "sk": {"S": f"s{n:06}"}, **{name: of(n) for name, of in attributes.items()}}
        for n in range(count)
    ]


def number(value: int) -> Callable[[int], Mapping[str, Any]]:
    return lambda _: {"N": str(value)}


def text(value: str) -> Callable[[int], Mapping[str, Any]]:
    return lambda _: {"S": value}


def expensive(made: Items) -> MonthlyPrices:
    """Return prices with which the storage of such items costs $250 a month, and $100 in Standard-IA."""
    gigabytes = (sum(map(item_bytes, made)) + 100 * len(made)) / 1e9
    stored, infrequent = (
        replace(MONTHLY_US_EAST_1.stored_gb, dollars_per_million=1e6 * dollars / gigabytes) for dollars in (250, 100)
    )
    return replace(MONTHLY_US_EAST_1, stored_gb=stored, infrequent_stored_gb=infrequent)


def provisioned(read_units: int) -> Mapping[str, Any]:
    """Return a capacity of $0.0949 a month for each read unit a second."""
    units = {"ReadCapacityUnits": read_units, "WriteCapacityUnits": 0}
    return {"BillingModeSummary": {"BillingMode": "PROVISIONED"}, "ProvisionedThroughput": units}


class Case(NamedTuple):
    rule: str
    needs: Callable[[], TableProfile]
    needs_not: Callable[[], TableProfile]
    words: str


def of(made: Items, **more: Any) -> Callable[[], TableProfile]:
    """Return what makes the profile, in the test that needs it."""
    return lambda: read(made, **more)[0]


def large(made: Items, **more: Any) -> Callable[[], TableProfile]:
    """Return what makes a profile as if a local index allowed little more than the largest collection."""
    allowed = patch.object(item_collections, "LOCAL_INDEX_BYTES", max(map(item_bytes, made)) / 0.8)
    return allowed(of(made, LocalSecondaryIndexes=[LOCAL], **more))


def uneven() -> Items:
    return [*items(500), *[{"pk": {"S": "huge"}, "sk": {"S": f"s{n}"}} for n in range(3000)]]


def mixed(n: int) -> Mapping[str, Any]:
    return {"S": "1"} if n % 2 else {"N": "1"}


GSIS = {"GlobalSecondaryIndexes": [index("one"), index("two")]}
GSI = {"GlobalSecondaryIndexes": [index("one")]}
LONG_NAMES = items(a_very_long_name_of_an_attribute=number(1))
CASES = {
    "milliseconds": Case(
        "expiry_never",
        of(items(ttl=number(SECONDS * 1000)), expiry=ON),
        of(items(ttl=number(SECONDS + DAY)), expiry=ON),
        "Attribute ttl is in milliseconds in 100 % of the items that have it",
    ),
    "text": Case(
        "expiry_never",
        of(items(ttl=text("2027-01-01")), expiry=ON),
        of(items(), expiry=ON),
        "ttl is not a number in 100 %",
    ),
    "old": Case(
        "expiry_never",
        of(items(ttl=number(SECONDS - 6 * 366 * DAY)), expiry=ON),
        of(items(ttl=number(SECONDS - DAY)), expiry=ON),
        "ttl is more than five years in the past in 100 %",
    ),
    "off": Case(
        "expiry_off",
        of(items(expires_at=number(SECONDS)), expiry=OFF),
        of(items(expires_at=number(SECONDS)), expiry=ON),
        "Attribute expires_at looks like an expiry time in seconds",
    ),
    "off, of another form": Case(
        "expiry_off",
        of(items(ttl=number(SECONDS)), expiry=OFF),
        of(items(ttl=text("2027-01-01"), until=number(SECONDS * 1000)), expiry=OFF),
        "ttl looks like",
    ),
    "local": Case("local_index_bound", large(items()), of(items(), LocalSecondaryIndexes=[LOCAL]), "80 % of the 10 GB"),
    "mixed": Case(
        "mixed_types", of(items(a=mixed)), of(items(a=text("a"))), "Attribute a has values of several types: N (50 %)"
    ),
    "uneven": Case(
        "uneven", of(uneven()), of(items(500, each=2)), "The largest hundredth of the item collections holds"
    ),
    "same": Case(
        "same_index",
        of(items(ik=text("a")), **GSIS),
        of(items(ik=text("a")), **GSI),
        "one and two have the same keys and the same content: one of them is enough. one costs",
    ),
    "same keys": Case(
        "same_index",
        of(items(ik=text("a")), GlobalSecondaryIndexes=[index("one"), index("two", "KEYS_ONLY")]),
        of(items(), **GSI),
        "the same keys: one of them may be enough",
    ),
    "empty": Case("empty_index", of(items(), **GSI), of(items(ik=text("a")), **GSI), "No item read is in index one"),
    "large": Case(
        "large_items", of(items(20, a=text("x" * 70_000))), of(items()), "100 % of the items are larger than 64 KB"
    ),
    "names": Case(
        "long_names",
        of(LONG_NAMES, monthly=expensive(LONG_NAMES)),
        of(LONG_NAMES),
        "of the bytes are attribute names",
    ),
    "class": Case(
        "other_class", of(items(), monthly=expensive(items())), of(items()), "for $100 a month instead of $250"
    ),
    "capacity": Case(
        "other_class",
        of(items(), monthly=expensive(items()), **provisioned(6_300)),
        of(items(), monthly=expensive(items()), **provisioned(6_400)),  # $607
        "the provisioned capacity costs $598",
    ),
    "numbers": Case(
        "numbers_as_text", of(items(a=text("12345"))), of(items(a=number(12345))), "Attribute a holds numbers as text"
    ),
    "numbers in a partition key": Case(
        "numbers_as_text", of(items(a=text("12345"))), of(items(ik=text("12345")), **GSI), "Attribute a holds numbers"
    ),
    "codes": Case(
        "numbers_as_text", of(items(a=text("5"), b=text("7"))), of(items(a=text("05401"))), "a and b hold numbers"
    ),
    "rounding": Case(
        "rounding", of(items(each=5)), of(items(each=5, a=text("x" * 1000))), "of what writes cost pays for rounding"
    ),
    "nothing to combine": Case("rounding", of(items(each=5)), of(items()), "combine items that are written together"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_rule_speaks_where_it_applies(name: str) -> None:
    case = CASES[name]
    assert case.words in dict(case.needs().advice)[case.rule]


@pytest.mark.parametrize("name", CASES)
def test_a_rule_is_silent_elsewhere(name: str) -> None:
    assert CASES[name].rule not in dict(CASES[name].needs_not().advice)


def test_the_seven_most_urgent_sentences_are_said() -> None:
    everything = items(20, ttl=text("1"), a=mixed, b=text("1" * 70_000), ik=number(1), a_very_long_name=number(1))
    profile = large(everything, expiry=ON, monthly=expensive(everything), **GSIS)()
    apply = {rule for section in profile.sections.values() for rule in section.advice}
    assert len(apply) > 7
    assert [rule for rule, _ in profile.advice] == [rule for rule in URGENCY if rule in apply][:7]
    assert {case.rule for case in CASES.values()} == set(URGENCY)
