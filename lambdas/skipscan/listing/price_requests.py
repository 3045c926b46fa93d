"""The prices of a table's region, from the AWS Price List API, or else the dated defaults.

A missing price never causes an error: without permission, network or time the default is used, and named as such.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws import clients
from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, MonthlyPrices, Price, Prices, default_prices
from skipscan.dynamodb.table_description import TableDescription

SOURCE = "AWS Price List API"
ENDPOINT_REGION = "us-east-1"  # one of the few regions with the API; it has the prices of all regions

BELIEVED_TIMES = 5.0
"""Regions differ by less than a factor of three. A listed price further from the default belongs to another product."""


def pricing_client(session: boto3.Session) -> Any:
    """Return a client that gives up quickly: a plan must not wait for a price."""
    return clients.make(session, "pricing", clients.IMPATIENT, region_name=ENDPOINT_REGION)


PriceEntry = tuple[str, Mapping[str, str]]
"""Where a price is in the list: the service's code, and the attributes that identify the product."""


def _units(group: str) -> PriceEntry:
    """Return the entry of request units. Their group also contains provisioned capacity, by the hour."""
    return ("AmazonDynamoDB", {"productFamily": "Amazon DynamoDB PayPerRequest Throughput", "group": group})


ENTRIES = {
    "read_units": _units("DDB-ReadUnits"),
    "write_units": _units("DDB-WriteUnits"),
    "lambda_gb_seconds": ("AWSLambda", {"group": "AWS-Lambda-Duration-ARM"}),
    "lambda_requests": ("AWSLambda", {"group": "AWS-Lambda-Requests-ARM"}),
    "transitions": ("AmazonStates", {"group": "SFN-StateTransitions"}),
    "s3_puts": ("AmazonS3", {"group": "S3-API-Tier1"}),
    "s3_gets": ("AmazonS3", {"group": "S3-API-Tier2"}),
    "exported_gb": ("AmazonDynamoDB", {"volumeType": "Amazon DynamoDB - Export Size"}),
}
INFREQUENT_ACCESS = {
    "read_units": _units("DDB-ReadUnitsIA"),
    "write_units": _units("DDB-WriteUnitsIA"),
}


def _storage(volume: str) -> PriceEntry:
    return ("AmazonDynamoDB", {"productFamily": "Database Storage", "volumeType": volume})


def _capacity(group: str) -> PriceEntry:
    return ("AmazonDynamoDB", {"productFamily": "Provisioned IOPS", "group": group})


MONTHLY = {
    "stored_gb": _storage("Amazon DynamoDB - Indexed DataStore"),
    "infrequent_stored_gb": _storage("Amazon DynamoDB - Indexed DataStore - IA"),
    "read_capacity": _capacity("DDB-ReadUnits"),
    "write_capacity": _capacity("DDB-WriteUnits"),
}
"""A month of storage, and an hour of a provisioned unit."""

DatedT = TypeVar("DatedT", Prices, MonthlyPrices)


def prices(price_list: Any | None, region: str, *, is_infrequent_access: bool = False) -> Prices:
    """Return a region's prices, each as listed today or else its default. Without a `price_list` all are defaults."""
    entries = {**ENTRIES, **INFREQUENT_ACCESS} if is_infrequent_access else ENTRIES
    return _of_region(price_list, region, entries, default_prices(is_infrequent_access=is_infrequent_access))


def of_table(price_list: Any, client: clients.DynamoDBClient, description: TableDescription) -> Prices:
    """Return the prices of a table, which are those of its client's region and of its class."""
    return prices(price_list, client.meta.region_name, is_infrequent_access=description.is_infrequent_access)


def monthly(price_list: Any | None, region: str) -> MonthlyPrices:
    """Return what a table of a region costs a month, each price as listed today or else its default."""
    return _of_region(price_list, region, MONTHLY, MONTHLY_US_EAST_1)


def _of_region(price_list: Any | None, region: str, entries: Mapping[str, PriceEntry], default: DatedT) -> DatedT:
    """Return the default prices with those that are listed in their place."""
    listed: dict[str, Price] = {}
    for name, entry in entries.items() if price_list else ():
        try:
            listed[name] = _believed(_first_tier(_listed(price_list, region, entry)), getattr(default, name))
        except (BotoCoreError, ClientError):
            break  # later calls would fail, too
        except (KeyError, ValueError, TypeError, AttributeError):
            continue  # there is no such product, or its document has another form
    return replace(default, region=region, **listed) if listed else default


def of_class(session: boto3.Session, region: str, *, is_aws: bool) -> Callable[[bool], Prices]:
    """Return the function that returns a region's prices for a table class (whether it is infrequent access).

    It asks when it is called. Unless `is_aws`, the table is of an engine that has no prices of its own.
    """

    def found(is_infrequent_access: bool) -> Prices:
        price_list = pricing_client(session) if is_aws else None
        return prices(price_list, region, is_infrequent_access=is_infrequent_access)

    return found


def _believed(listed: Price, default: Price) -> Price:
    """Return the listed price, or the default with a note if the two are too far apart."""
    times = listed.dollars_per_million / default.dollars_per_million
    if 1 / BELIEVED_TIMES <= times <= BELIEVED_TIMES:
        return listed
    note = (
        f"{listed.source} of {listed.as_of} says ${listed.dollars_per_million:,.10g} per million, more than "
        f"{BELIEVED_TIMES:g} times off, and is ignored"
    )
    return replace(default, source=f"{default.source}; {note}")


def _first_tier(tiers: Iterator[tuple[float, Price]]) -> Price:
    """Return the price of the first tier that is not free; the largest, if products share an entry."""
    return max(tiers, key=lambda tier: (-tier[0], tier[1].dollars_per_million))[1]


def _listed(price_list: Any, region: str, entry: PriceEntry) -> Iterator[tuple[float, Price]]:
    """Return an entry's prices in a region, each with the unit its tier begins at. A free tier has a price of zero."""
    service, attributes = entry
    expected = {"regionCode": region, **attributes}
    filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in expected.items()]
    parameters: dict[str, Any] = {"ServiceCode": service, "Filters": filters}
    while True:
        answer = price_list.get_products(**parameters)
        for text in answer["PriceList"]:
            document = json.loads(text)
            product = document["product"]
            known = {**product["attributes"], "productFamily": product.get("productFamily")}
            if any(known.get(field) != value for field, value in expected.items()):
                continue
            for term in document["terms"]["OnDemand"].values():
                for dimension in term["priceDimensions"].values():
                    if dollars := float(dimension["pricePerUnit"]["USD"]):
                        # In dollars for one unit, and dated to the day.
                        price = Price(dollars * 1e6, document.get("publicationDate", "undated")[:10], SOURCE)
                        yield float(dimension.get("beginRange", 0)), price
        if not answer.get("NextToken"):
            return
        parameters["NextToken"] = answer["NextToken"]
