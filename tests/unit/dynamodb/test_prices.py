"""Prices are per million, and none is without its date and source."""

import re
from dataclasses import fields

import pytest

from skipscan import form
from skipscan.dynamodb.prices import US_EAST_1, Price, Prices

PRICES: list[Price] = [getattr(US_EAST_1, f.name) for f in fields(US_EAST_1) if f.name != "region"]


@pytest.mark.parametrize("price", PRICES)
def test_every_price_has_its_month_and_its_source(price: Price) -> None:
    assert price.dollars_per_million > 0
    assert re.fullmatch(r"20\d\d-\d\d", price.as_of)
    assert price.source


def test_a_price_that_a_newer_stack_has_too_is_no_fault() -> None:
    document = form.write(US_EAST_1)
    assert Prices.of_any_version({**document, "newer": document["s3_puts"]}) == US_EAST_1
