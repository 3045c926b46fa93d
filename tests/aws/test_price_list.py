"""Prices come from the price list where they can, and from the dated default where they can't."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from skipscan.aws.price_list import prices
from skipscan.prices import US_EAST_1


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
    """A price list of several pages; remembers what it was asked."""

    def __init__(self, *pages: Sequence[str]) -> None:
        self._pages = pages
        self.asked: list[dict[str, Any]] = []

    def get_products(self, **parameters: Any) -> dict[str, Any]:
        self.asked.append(parameters)
        page = int(parameters.get("NextToken", 0))
        answer: dict[str, Any] = {"PriceList": list(self._pages[page])}
        return {**answer, "NextToken": str(page + 1)} if page + 1 < len(self._pages) else answer


FRANKFURT = (
    [product(None, "0.5"), product("DDB-ReadUnits", "0.0000000000", "0.0000001525")],
    [product("DDB-WriteUnits", "0.0000007625"), product("DDB-ReadUnitsIA", "0.00000019")],
    [product("DDB-WriteUnitsIA", "0.00000095")],
)


def test_reads_every_page_and_skips_free_tiers_and_products_without_a_group() -> None:
    listed = Listed(*FRANKFURT)
    local = prices(listed, "eu-central-1")
    assert local.region == "eu-central-1"
    assert local.read_units.dollars_per_million == pytest.approx(0.1525)
    assert local.write_units.dollars_per_million == pytest.approx(0.7625)
    assert (local.read_units.as_of, local.read_units.source) == ("2026-10-31", "AWS Price List API")
    assert local.transitions == US_EAST_1.transitions
    assert {"Type": "TERM_MATCH", "Field": "regionCode", "Value": "eu-central-1"} in listed.asked[0]["Filters"]
    assert len(listed.asked) == 3


def test_a_table_of_infrequent_access_has_prices_of_its_own() -> None:
    local = prices(Listed(*FRANKFURT), "eu-central-1", is_infrequent_access=True)
    assert local.read_units.dollars_per_million == pytest.approx(0.19)


class Refusing:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def get_products(self, **_: Any) -> dict[str, Any]:
        raise self._error


@pytest.mark.parametrize(
    "price_list",
    [
        Refusing(ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "GetProducts")),
        Refusing(ConnectTimeoutError(endpoint_url="https://api.pricing.us-east-1.amazonaws.com")),
        Listed([]),
        Listed(["not json"]),
        Listed(['{"product": {"attributes": {"group": "DDB-ReadUnits"}}}']),
        Listed(['{"product": null}']),
    ],
    ids=["refused", "unreachable", "empty", "no JSON", "no terms", "no product"],
)
def test_nothing_fails_because_a_price_cannot_be_had(price_list: Any) -> None:
    assert prices(price_list, "eu-central-1") == US_EAST_1
