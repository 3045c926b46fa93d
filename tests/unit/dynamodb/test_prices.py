"""Prices are per million, and none is without its date and source."""

import re
from dataclasses import fields

import pytest

from skipscan import form
from skipscan.dynamodb.prices import INFREQUENT_ACCESS, INFREQUENT_TIMES, US_EAST_1, Price, Prices

PRICES: list[Price] = [getattr(US_EAST_1, f.name) for f in fields(US_EAST_1) if f.name != "region"]


def test_a_million_read_units_cost_an_eighth_of_a_dollar() -> None:
    assert US_EAST_1.read_units.of(1_000_000) == 0.125
    assert US_EAST_1.read_units.of(125_000_000) == pytest.approx(15.625)


def test_units_of_the_class_standard_ia_cost_a_quarter_more() -> None:
    """See https://aws.amazon.com/dynamodb/pricing/on-demand/ for both."""
    assert INFREQUENT_TIMES == 1.25
    for name in ("read_units", "write_units"):
        assert getattr(INFREQUENT_ACCESS, name).of(1_000_000) == 1.25 * getattr(US_EAST_1, name).of(1_000_000)


def test_a_gb_second_of_lambda_costs_thirteen_millionths_of_a_dollar() -> None:
    assert US_EAST_1.lambda_gb_seconds.of(1) == pytest.approx(0.0000133334)


@pytest.mark.parametrize("price", PRICES)
def test_every_price_has_its_month_and_its_source(price: Price) -> None:
    assert price.dollars_per_million > 0
    assert re.fullmatch(r"20\d\d-\d\d", price.as_of)
    assert price.source


def test_a_price_that_a_newer_stack_has_too_is_no_fault() -> None:
    document = form.write(US_EAST_1)
    assert Prices.of_any_version({**document, "newer": document["s3_puts"]}) == US_EAST_1
