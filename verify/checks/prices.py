"""The price list."""

from dataclasses import fields

from skipscan.dynamodb.prices import Prices
from skipscan.listing import price_requests
from verify.check import check, hold
from verify.kit import Kit

ATTRIBUTES = "https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/using-price-list-query-api.html"


@check(
    "price-list",
    "The Price List API knows every product by the attributes that Skipscan asks for, at a price near the default.",
    source=ATTRIBUTES,
    breaks="Dated default prices are shown; nothing fails.",
    seconds=10.0,
)
def prices(kit: Kit) -> str:
    client = price_requests.pricing_client(kit.session)
    client.get_products(ServiceCode="AmazonDynamoDB", MaxResults=1)  # whose refusal `prices` would hide
    wrong, seen = [], []
    for is_infrequent_access in (False, True):
        listed = price_requests.prices(client, kit.region, is_infrequent_access=is_infrequent_access)
        for field in fields(Prices):
            if field.name == "region":
                continue
            price = getattr(listed, field.name)
            name = f"{field.name}{' (Standard-IA)' if is_infrequent_access else ''}"
            if price.source == price_requests.SOURCE:
                seen.append(f"{name} ${price.dollars_per_million:,.6g}")
            else:
                wrong.append(f"{name}: {price.source}")
    hold(not wrong, "; ".join(wrong))
    return f"per million in {kit.region}: {', '.join(dict.fromkeys(seen))}"
