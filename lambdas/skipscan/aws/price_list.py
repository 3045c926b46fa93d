"""The prices of a table's region, from the AWS Price List API, each or else the dated default.

Nothing fails because a price can't be had: without permission, network or time the default stands, and says so.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.dynamodb.prices import US_EAST_1, Price, Prices

SOURCE = "AWS Price List API"
ENDPOINT_REGION = "us-east-1"  # one of the few that have the API; it knows the prices of all


class PriceList(Protocol):
    """The one call of boto3's client that is made here."""

    def get_products(self, **parameters: Any) -> dict[str, Any]: ...


def client(session: boto3.Session) -> PriceList:
    """Return a client that gives up quickly: a plan must not wait for a price."""
    config = Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 1})
    listed: PriceList = session.client("pricing", region_name=ENDPOINT_REGION, config=config)
    return listed


class Entry(NamedTuple):
    """Where a price is in the list: the service's code, and attributes that only its products have."""

    service: str
    attributes: Mapping[str, str]


ENTRIES = {
    "read_units": Entry("AmazonDynamoDB", {"group": "DDB-ReadUnits"}),
    "write_units": Entry("AmazonDynamoDB", {"group": "DDB-WriteUnits"}),
    "lambda_gb_seconds": Entry("AWSLambda", {"group": "AWS-Lambda-Duration-ARM"}),
    "lambda_requests": Entry("AWSLambda", {"group": "AWS-Lambda-Requests-ARM"}),
    "transitions": Entry("AmazonStates", {"group": "SFN-StateTransitions"}),
    "s3_puts": Entry("AmazonS3", {"group": "S3-API-Tier1"}),
    "s3_gets": Entry("AmazonS3", {"group": "S3-API-Tier2"}),
    "exported_gb": Entry("AmazonDynamoDB", {"volumeType": "Amazon DynamoDB - Export Size"}),
}
INFREQUENT_ACCESS = {
    "read_units": Entry("AmazonDynamoDB", {"group": "DDB-ReadUnitsIA"}),
    "write_units": Entry("AmazonDynamoDB", {"group": "DDB-WriteUnitsIA"}),
}


def prices(price_list: PriceList, region: str, *, is_infrequent_access: bool = False) -> Prices:
    """Return a region's prices, each as listed today or else as the default has it."""
    listed: dict[str, Price] = {}
    entries = {**ENTRIES, **INFREQUENT_ACCESS} if is_infrequent_access else ENTRIES
    for name, entry in entries.items():
        try:
            listed[name] = max(_listed(price_list, region, entry), key=lambda price: price.dollars_per_million)
        except (BotoCoreError, ClientError):
            break  # who is refused or not heard once will be again
        except (KeyError, ValueError, TypeError, AttributeError):
            continue  # there is no such product, or it is not written as expected
    return replace(US_EAST_1, region=region, **listed) if listed else US_EAST_1


def _listed(price_list: PriceList, region: str, entry: Entry) -> Iterator[Price]:
    """Return an entry's prices in a region: of every tier. A free tier is listed with a price of zero."""
    wanted = {"regionCode": region, **entry.attributes}
    filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in wanted.items()]
    asked: dict[str, Any] = {"ServiceCode": entry.service, "Filters": filters}
    while True:
        answer = price_list.get_products(**asked)
        for text in answer["PriceList"]:
            product = json.loads(text)
            attributes = product["product"]["attributes"]
            if any(attributes.get(field) != value for field, value in entry.attributes.items()):
                continue
            for term in product["terms"]["OnDemand"].values():
                for dimension in term["priceDimensions"].values():
                    if dollars := float(dimension["pricePerUnit"]["USD"]):
                        # In dollars for one unit, and dated to the day.
                        yield Price(dollars * 1e6, product.get("publicationDate", "undated")[:10], SOURCE)
        if not answer.get("NextToken"):
            return
        asked["NextToken"] = answer["NextToken"]
