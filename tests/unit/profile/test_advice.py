"""Each rule speaks for a table that needs it, and is silent for one that does not."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from skipscan.profile.advice import RULES, advise
from skipscan.profile.profiling import ExpirySetting
from skipscan.profile.table_profile import TableProfile
from skipscan.sample.interval import Interval
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


def stored_more(profile: TableProfile) -> TableProfile:
    """Return a profile as of a table of many such items: storage costs dollars."""
    storage, other = Interval.exactly(250.0), Interval.exactly(100.0)
    money = replace(profile.money, storage=storage, storage_other_class=other, infrequent_access_pays_below=600.0)
    return replace(profile, money=money, advice=())


def with_capacity(profile: TableProfile, dollars: float) -> TableProfile:
    return replace(profile, money=replace(profile.money, capacity=dollars))


class Case(NamedTuple):
    rule: str
    needs: TableProfile
    needs_not: TableProfile
    words: str


def of(made: Items, **more: Any) -> TableProfile:
    return read(made, **more)[0]


def large(profile: TableProfile) -> TableProfile:
    assert profile.collections is not None
    return replace(profile, collections=replace(profile.collections, local_index_part=0.8, largest_bytes=8_000_000_000))


def uneven() -> Items:
    return [*items(500), *[{"pk": {"S": "huge"}, "sk": {"S": f"s{n}"}} for n in range(3000)]]


def mixed(n: int) -> Mapping[str, Any]:
    return {"S": "1"} if n % 2 else {"N": "1"}


GSIS = {"GlobalSecondaryIndexes": [index("one"), index("two")]}
GSI = {"GlobalSecondaryIndexes": [index("one")]}
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
    "local": Case(
        "local_index_bound", large(of(items())), of(items(), LocalSecondaryIndexes=[LOCAL]), "80 % of the 10 GB"
    ),
    "mixed": Case(
        "mixed_types", of(items(a=mixed)), of(items(a=text("a"))), "Attribute a has values of several types: N (50 %)"
    ),
    "uneven": Case(
        "uneven", of(uneven()), of(items(500, each=2)), "The largest hundredth of the item collections holds"
    ),
    "same": Case(
        "same_index", of(items(ik=text("a")), **GSIS), of(items(ik=text("a")), **GSI), "one and two have the same"
    ),
    "same content": Case(
        "same_index",
        of(items(ik=text("a")), **GSIS),
        of(items(), **GSI),
        "the same content: one of them is enough. one costs",
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
        stored_more(of(items(a_very_long_name_of_an_attribute=number(1)))),
        of(items(a_very_long_name_of_an_attribute=number(1))),
        "of the bytes are attribute names",
    ),
    "class": Case("other_class", stored_more(of(items())), of(items()), "for $100 a month instead of $250"),
    "capacity": Case(
        "other_class",
        stored_more(with_capacity(of(items()), 20.0)),
        stored_more(with_capacity(of(items()), 900.0)),
        "the provisioned capacity costs $20",
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


def rules(profile: TableProfile) -> dict[str, str]:
    return {one.rule: one.sentence for one in advise(profile)}


@pytest.mark.parametrize("name", CASES)
def test_a_rule_speaks_where_it_applies(name: str) -> None:
    case = CASES[name]
    assert case.words in rules(case.needs)[case.rule]


@pytest.mark.parametrize("name", CASES)
def test_a_rule_is_silent_elsewhere(name: str) -> None:
    assert CASES[name].rule not in rules(CASES[name].needs_not)


def test_there_are_at_most_seven_sentences() -> None:
    everything = items(20, ttl=text("1"), a=mixed, b=text("1" * 70_000), ik=text("a"), a_very_long_name=number(1))
    profile = stored_more(large(of(everything, expiry=ON, **GSIS)))
    assert sum(1 for rule in RULES if rule(profile)) > 7 - 1
    assert len(rules(profile)) <= 7
