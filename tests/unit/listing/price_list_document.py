"""Products as GetProducts writes them, JSON within JSON, with every field that the service gives."""

import json
from collections.abc import Sequence
from typing import Any


def product(
    attributes: dict[str, str], tiers: Sequence[tuple[str, str, str]], *, family: str, service: str, unit: str
) -> str:
    """Return one product. `tiers`: where each begins and ends, and its dollars for one unit."""
    sku = f"SKU{abs(hash(tuple(attributes.items()))) % 10**13:013d}"
    rate = f"{sku}.JRTCKXETXF"
    dimensions = {
        f"{rate}.{number}": {
            "unit": unit,
            "beginRange": begin,
            "endRange": end,
            "description": f"${dollars} per {unit}",
            "appliesTo": [],
            "rateCode": f"{rate}.{number}",
            "pricePerUnit": {"USD": dollars},
        }
        for number, (begin, end, dollars) in enumerate(tiers)
    }
    return json.dumps(
        {
            "product": {
                "productFamily": family,
                "attributes": {"servicecode": service, "locationType": "AWS Region", **attributes},
                "sku": sku,
            },
            "serviceCode": service,
            "terms": {
                "OnDemand": {
                    rate: {
                        "priceDimensions": dimensions,
                        "sku": sku,
                        "effectiveDate": "2026-10-01T00:00:00Z",
                        "offerTermCode": "JRTCKXETXF",
                        "termAttributes": {},
                    }
                }
            },
            "version": "20261031090000",
            "publicationDate": "2026-10-31T09:00:00Z",
        }
    )


ON_DEMAND, PROVISIONED = "Amazon DynamoDB PayPerRequest Throughput", "Provisioned IOPS"


def units(region: str, group: str, dollars: str, *, provisioned: str) -> list[str]:
    """Return the two products of one group: capacity by the hour, with its free tier, and units on demand."""
    kind = "Read" if "Read" in group else "Write"
    attributes = {"regionCode": region, "servicename": "Amazon DynamoDB", "group": group}
    by_the_hour, on_demand = f"{kind}CapacityUnit-Hrs", f"{kind}RequestUnits"
    return [
        product(
            attributes | {"usagetype": f"EUC1-{by_the_hour}", "operation": "CommittedThroughput"},
            [("0", "18600", "0.0000000000"), ("18600", "Inf", provisioned)],
            family=PROVISIONED,
            service="AmazonDynamoDB",
            unit=by_the_hour,
        ),
        product(
            attributes | {"usagetype": f"EUC1-{on_demand}", "operation": "PayPerRequestThroughput"},
            [("0", "Inf", dollars)],
            family=ON_DEMAND,
            service="AmazonDynamoDB",
            unit=on_demand,
        ),
    ]


def stored(region: str, volume: str, *tiers: tuple[str, str, str]) -> str:
    """Return the product of a table class's storage."""
    attributes = {"regionCode": region, "volumeType": f"Amazon DynamoDB - {volume}"}
    return product(attributes, tiers, family="Database Storage", service="AmazonDynamoDB", unit="GB-Mo")


def other(region: str, service: str, group: str, *tiers: tuple[str, str, str]) -> str:
    """Return a product of another service."""
    return product({"regionCode": region, "group": group}, tiers, family="Serverless", service=service, unit="Requests")


def region(code: str, read: str = "0.0000001525", write: str = "0.0000007625") -> list[str]:
    """Return the products of one region."""
    return [
        product({"regionCode": code}, [("0", "Inf", "0.5")], family="Fee", service="AmazonDynamoDB", unit="GB"),
        *units(code, "DDB-ReadUnits", read, provisioned="0.0001586000"),
        *units(code, "DDB-WriteUnits", write, provisioned="0.0007930000"),
        *units(code, "DDB-ReadUnitsIA", "0.0000001900", provisioned="0.0001980000"),
        *units(code, "DDB-WriteUnitsIA", "0.0000009500", provisioned="0.0009900000"),
        stored(code, "Indexed DataStore", ("0", "25", "0.0"), ("25", "Inf", "0.306")),
        stored(code, "Indexed DataStore - IA", ("0", "Inf", "0.1224")),
        stored(code, "On-Demand Backup Storage", ("0", "Inf", "0.119")),
        *units(code, "DDB-ReplicatedWriteUnits", "0.0000015000", provisioned="0.0009900000"),
        other(
            code,
            "AWSLambda",
            "AWS-Lambda-Duration-ARM",
            ("7500000000", "18750000000", "0.0000120001"),
            ("0", "7500000000", "0.0000133334"),
            ("18750000000", "Inf", "0.0000106667"),
        ),
        other(code, "AmazonStates", "SFN-StateTransitions", ("0", "4000", "0.0"), ("4000", "Inf", "0.000025")),
        other(code, "AmazonS3", "S3-API-Tier1", ("0", "Inf", "0.0000054")),
    ]


class Listed:
    """A price list that matches every product to every request, in pages of one. Remembers the requests."""

    def __init__(self, *products: str, filters: bool = False) -> None:
        self._products = products
        self._filters = filters
        self.asked: list[dict[str, Any]] = []

    def get_products(self, **parameters: Any) -> dict[str, Any]:
        self.asked.append(parameters)
        page = int(parameters.get("NextToken", 0))
        products = [text for text in self._products if not self._filters or _meets(text, parameters)]
        answer: dict[str, Any] = {"PriceList": products[page : page + 1]}
        return {**answer, "NextToken": str(page + 1)} if page + 1 < len(products) else answer


def _meets(text: str, parameters: dict[str, Any]) -> bool:
    document = json.loads(text)
    attributes = {**document["product"]["attributes"], "productFamily": document["product"]["productFamily"]}
    return document["serviceCode"] == parameters["ServiceCode"] and all(
        attributes.get(entry["Field"]) == entry["Value"] for entry in parameters["Filters"]
    )
