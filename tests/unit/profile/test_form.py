"""What of a value is told: its form, never the value."""

from typing import Any

import pytest

from skipscan.profile.form import (
    ISO,
    MILLISECONDS,
    NUMBER,
    SECONDS,
    YEAR_SECONDS,
    Expiry,
    depth,
    expiries,
    forms,
    prefix,
)
from skipscan.profile.profiling import TableProfile
from tests.unit.profile.tables import Items, figures, read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ORDER#2026-11-01", "ORDER"),
        ("#META#1", "#META"),
        ("order_line:5", "order_line"),
        ("PROFILE", "PROFILE"),
        ("smith", None),
        ("Smith-Jones", None),
        ("A1B2#1", None),
        ("2026-11-01", None),
        ("x" * 40 + "#1", None),
        ("john@example.com", None),
    ],
)
def test_a_prefix_is_letters_before_a_delimiter_or_one_word_in_capitals(text: str, found: str | None) -> None:
    assert prefix(text) == found


@pytest.mark.parametrize(
    ("kind", "content", "found"),
    [
        ("S", "12.5", NUMBER),
        ("S", "-3", NUMBER),
        ("S", "0.5", NUMBER),
        ("S", "05401", None),
        ("S", "12 Main Street", None),
        ("S", "", None),
        ("S", "2026-11-01T10:00:00Z", ISO),
        ("N", "1800000000", SECONDS),
        ("N", "1800000000000", MILLISECONDS),
        ("N", "5", None),
        ("N", "1E+9", None),
        ("BOOL", True, None),
    ],
)
def test_forms(kind: str, content: Any, found: str | None) -> None:
    assert forms(kind, [content, content]) == ({found: 2} if found else {})


def test_the_depth_of_a_value() -> None:
    assert depth("M", [{}]) == 1
    assert depth("L", [[{"S": "b"}], [{"L": []}]]) == 2
    assert depth("M", [{}, {"a": {"L": [{"S": "b"}, {"M": {"c": {"N": "1"}}}]}}]) == 3


# What a time-to-live attribute means for its item.


NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"N": f"{NOW + 60}"}, Expiry.FUTURE),
        ({"N": f"{NOW - 60}"}, Expiry.PAST),
        ({"N": f"{NOW - 6 * YEAR_SECONDS:.0f}"}, Expiry.OLD),
        ({"N": f"{NOW + 11 * YEAR_SECONDS:.0f}"}, Expiry.FAR),
        ({"N": f"{NOW * 1000}"}, Expiry.MILLISECONDS),
        ({"S": f"{NOW}"}, Expiry.WRONG_TYPE),
        # A year has 365.25 days.
        ({"N": f"{NOW - 157_788_001}"}, Expiry.OLD),
        ({"N": f"{NOW - 157_788_000}"}, Expiry.PAST),
        ({"N": f"{NOW - 1}"}, Expiry.PAST),
        ({"N": f"{NOW}"}, Expiry.FUTURE),
        ({"N": f"{NOW + 315_575_999}"}, Expiry.FUTURE),
        ({"N": f"{NOW + 315_576_000}"}, Expiry.FAR),
        ({"N": f"{10**12 - 1}"}, Expiry.FAR),
        ({"N": f"{10**12}"}, Expiry.MILLISECONDS),
    ],
)
def test_states(value: Any, found: Expiry) -> None:
    assert expiries([value, value], NOW) == {found: 2}


# Profiles of the shapes of published designs: what they name, and whether the advice is right for them.


def by(name: str, partition_key: str, sort_key: str) -> dict[str, Any]:
    schema = [{"AttributeName": partition_key, "KeyType": "HASH"}, {"AttributeName": sort_key, "KeyType": "RANGE"}]
    return {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}}


def profile(items: Items, *indexes: dict[str, Any]) -> TableProfile:
    names = {key["AttributeName"] for one in indexes for key in one["KeySchema"]} | {"pk", "sk"}
    types = [{"AttributeName": name, "AttributeType": "S"} for name in sorted(names)]
    return read(items, GlobalSecondaryIndexes=list(indexes), AttributeDefinitions=types)[0]


def text(**values: str) -> dict[str, Any]:
    return {name.replace("__", "-"): {"S": value} for name, value in values.items()}


def online_shop() -> Items:
    """Customers, their carts and orders with products, invoices and shipments; two indexes for several entities."""
    items: Items = []
    for n in range(120):
        customer, order, invoice = f"c#{n:05}", f"o#{n:05}", f"i#{n:05}"
        items.append(text(pk=customer, sk=customer, EntityType="customer", Email=f"{n}@example.com", Name="N"))
        items += [text(pk=customer, sk=f"p#{n * 7 + k:05}", EntityType="cart", Quantity=f"{k + 1}") for k in range(2)]
        for k in range(3):
            when = f"2020-06-{k + 1:02}T19:10:00"
            made = text(pk=order, sk=f"p#{k:05}", EntityType="orderItem", Price=f"{10 + k}.50", Quantity="2")
            items.append({**made, **text(GSI1__PK=f"p#{k:05}", GSI1__SK=when)})
        made = text(pk=order, sk=invoice, EntityType="invoice", Amount="1000", Date="2020-06-21T19:18:00")
        items.append({**made, **text(GSI2__PK=invoice, GSI2__SK=invoice)})
    return items


def test_an_online_shop_in_one_table() -> None:
    made = profile(online_shop(), by("GSI1", "GSI1-PK", "GSI1-SK"), by("GSI2", "GSI2-PK", "GSI2-SK"))
    assert {one["prefix"] for one in figures(made, "entity_types")} == {"c", "p", "i"}
    indexes = figures(made, "indexes")
    shares = {index["name"]: round(index["items"].estimate, 2) for index in indexes}
    assert shares == {"GSI1": 0.43, "GSI2": 0.14}
    assert not any(index["same_content"] or index["same_keys"] for index in indexes)
    said = dict(made.advice)
    assert set(said) == {"numbers_as_text", "rounding"}
    assert "Attributes Price, Quantity and Amount hold numbers as text" in said["numbers_as_text"].replace(
        "Quantity, Price", "Attributes Price, Quantity"
    )
    forms = {one["name"]: set(one["forms"]) for one in figures(made, "attributes")}
    assert forms["Date"] == {"ISO 8601"}
