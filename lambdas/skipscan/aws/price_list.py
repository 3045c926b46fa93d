"""The price of read units in a table's region, from the AWS Price List API, or else the dated default.

Nothing fails because a price can't be had: without permission, network or time the default stands, and says so.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.prices import US_EAST_1, Price, Prices

SOURCE = "AWS Price List API"
FAMILY = "Amazon DynamoDB PayPerRequest Throughput"
ENDPOINT_REGION = "us-east-1"  # one of the few that have the API; it knows the prices of all


class PriceList(Protocol):
    """The one call of boto3's client that is made here."""

    def get_products(self, **parameters: Any) -> dict[str, Any]: ...


def client(session: boto3.Session) -> PriceList:
    """Return a client that gives up quickly: a plan must not wait for a price."""
    config = Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 1})
    listed: PriceList = session.client("pricing", region_name=ENDPOINT_REGION, config=config)
    return listed


def prices(price_list: PriceList, region: str, *, is_infrequent_access: bool = False) -> Prices:
    """Return a region's prices: of read and write units as listed today, of all else as the default has them."""
    suffix = "IA" if is_infrequent_access else ""
    try:
        listed = dict(_listed(price_list, region))
        return replace(
            US_EAST_1,
            region=region,
            read_units=listed[f"DDB-ReadUnits{suffix}"],
            write_units=listed[f"DDB-WriteUnits{suffix}"],
        )
    except (BotoCoreError, ClientError, KeyError, ValueError, TypeError, AttributeError):
        return US_EAST_1


def _listed(price_list: PriceList, region: str) -> Iterator[tuple[str, Price]]:
    """Return the price of each group. Some products have no group; a free tier is listed with a price of zero."""
    wanted = {"productFamily": FAMILY, "regionCode": region}
    filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in wanted.items()]
    asked: dict[str, Any] = {"ServiceCode": "AmazonDynamoDB", "Filters": filters}
    while True:
        answer = price_list.get_products(**asked)
        for text in answer["PriceList"]:
            product = json.loads(text)
            group = product["product"]["attributes"].get("group")
            dollars = [
                float(dimension["pricePerUnit"]["USD"])
                for term in product["terms"]["OnDemand"].values()
                for dimension in term["priceDimensions"].values()
            ]
            paid = [price for price in dollars if price]
            if group and paid:
                # In dollars for one unit, and dated to the day.
                yield group, Price(max(paid) * 1e6, product.get("publicationDate", "undated")[:10], SOURCE)
        if not answer.get("NextToken"):
            return
        asked["NextToken"] = answer["NextToken"]
