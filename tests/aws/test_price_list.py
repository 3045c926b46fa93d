"""Prices come from the price list where they can, and from the dated default where they can't."""

import json
from dataclasses import fields
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from skipscan.aws.price_list import ENTRIES, prices
from skipscan.dynamodb.prices import US_EAST_1


def product(group: str | None, *dollars: str) -> str:
    """A product as GetProducts writes it, as JSON within JSON."""
    dimensions = {f"d{n}": {"pricePerUnit": {"USD": each}} for n, each in enumerate(dollars)}
    return json.dumps(
        {
            "product": {"attributes": {"group": group} if group else {"servicename": "Amazon DynamoDB"}},
            "terms": {"OnDemand": {"t": {"priceDimensions": dimensions}}},
            "publicationDate": "2026-10-31T09:00:00Z",
        }
    )


class Listed:
    """A price list that answers by the group asked for, in pages of one product; remembers what it was asked."""

    def __init__(self, *products: str) -> None:
        self._products = products
        self.asked: list[dict[str, Any]] = []

    def get_products(self, **parameters: Any) -> dict[str, Any]:
        self.asked.append(parameters)
        page = int(parameters.get("NextToken", 0))
        answer: dict[str, Any] = {"PriceList": list(self._products[page : page + 1])}
        return {**answer, "NextToken": str(page + 1)} if page + 1 < len(self._products) else answer


FRANKFURT = (
    product(None, "0.5"),
    product("DDB-ReadUnits", "0.0000000000", "0.0000001525"),
    product("DDB-WriteUnits", "0.0000007625"),
    product("DDB-ReadUnitsIA", "0.00000019"),
    product("DDB-WriteUnitsIA", "0.00000095"),
    product("AWS-Lambda-Duration-ARM", "0.0000133334", "0.0000120001", "0.0000106667"),
    product("SFN-StateTransitions", "0.000025"),
    product("S3-API-Tier1", "0.0000054"),
)


def test_reads_every_page_and_skips_free_tiers_and_products_without_a_group() -> None:
    listed = Listed(*FRANKFURT)
    local = prices(listed, "eu-central-1")
    assert local.region == "eu-central-1"
    assert local.read_units.dollars_per_million == pytest.approx(0.1525)
    assert local.write_units.dollars_per_million == pytest.approx(0.7625)
    assert (local.read_units.as_of, local.read_units.source) == ("2026-10-31", "AWS Price List API")
    assert {"Type": "TERM_MATCH", "Field": "regionCode", "Value": "eu-central-1"} in listed.asked[0]["Filters"]


def test_a_price_with_tiers_is_that_of_the_first() -> None:
    assert prices(Listed(*FRANKFURT), "eu-central-1").lambda_gb_seconds.dollars_per_million == pytest.approx(13.3334)


def test_each_price_that_is_not_listed_is_the_dated_default() -> None:
    local = prices(Listed(*FRANKFURT), "eu-central-1")
    assert local.s3_puts.dollars_per_million == pytest.approx(5.4)
    assert (local.s3_gets, local.exported_gb) == (US_EAST_1.s3_gets, US_EAST_1.exported_gb)
    assert [origin.partition(":")[0] for origin in local.origins] == [
        "2026-10-31, AWS Price List API",
        "2024-11, second-hand",
    ]


def test_every_price_is_looked_for() -> None:
    assert {field.name for field in fields(US_EAST_1)} == {"region", *ENTRIES}


def test_a_table_of_infrequent_access_has_prices_of_its_own() -> None:
    local = prices(Listed(*FRANKFURT), "eu-central-1", is_infrequent_access=True)
    assert local.read_units.dollars_per_million == pytest.approx(0.19)


def test_who_is_refused_once_asks_no_more() -> None:
    refusing = Refusing(ConnectTimeoutError(endpoint_url="https://api.pricing.us-east-1.amazonaws.com"))
    prices(refusing, "eu-central-1")
    assert refusing.calls == 1


class Refusing:
    def __init__(self, error: Exception) -> None:
        self._error = error
        self.calls = 0

    def get_products(self, **_: Any) -> dict[str, Any]:
        self.calls += 1
        raise self._error


@pytest.mark.parametrize(
    "price_list",
    [
        Refusing(ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "GetProducts")),
        Refusing(ConnectTimeoutError(endpoint_url="https://api.pricing.us-east-1.amazonaws.com")),
        Listed(),
        Listed("not json"),
        Listed('{"product": {"attributes": {"group": "DDB-ReadUnits"}}}'),
        Listed('{"product": null}'),
    ],
    ids=["refused", "unreachable", "empty", "no JSON", "no terms", "no product"],
)
def test_nothing_fails_because_a_price_cannot_be_had(price_list: Any) -> None:
    assert prices(price_list, "eu-central-1") == US_EAST_1
