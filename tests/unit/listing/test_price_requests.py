"""A table is far away if DescribeTable says so by its time, and never on this machine."""

import json
from collections.abc import Callable
from functools import partial
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError

from skipscan.dynamodb.prices import INFREQUENT_ACCESS, US_EAST_1
from skipscan.listing.concurrency_requests import FreeFunctions
from skipscan.listing.distance_requests import useful_walks
from skipscan.listing.price_requests import monthly, prices
from tests.fakes.error import service_error
from tests.fakes.faulty import faulty
from tests.simulation.world.clock import Clock
from tests.unit.listing.price_list_document import Listed, region


@pytest.mark.parametrize(
    ("answers", "walks"),
    [
        ((0.008,), 16),
        ((0.06, 0.01), 16),
        ((0.06, 0.05), 128),
        ((0.06, "ThrottlingException"), 16),
        (("ThrottlingException",), 16),
    ],
)
def test_many_walks_may_pay_from_far_away(answers: tuple[float | str, ...], walks: int) -> None:
    """Answers come after so many seconds, or are refusals, which come late."""
    clock = Clock()

    def after(answer: float | str, *_: object) -> dict[str, Any]:
        clock.sleep(0.06 if isinstance(answer, str) else answer)
        if isinstance(answer, str):
            raise service_error(answer, "made up", "DescribeTable")
        return {}

    steps = [partial(after, answer) for answer in answers]
    client = faulty(None, {"describe_table": steps})
    assert useful_walks(client, "Orders", clock.monotonic) == walks
    assert len(client.calls) == len(answers)


# How many workers an account's Lambda runs at once, and what is said where that is fewer than a run wanted.


def account(answer: Any) -> Any:
    return faulty(None, {"get_account_settings": [answer]}, "lambda")


@pytest.mark.parametrize(
    "answer",
    [
        "AccessDeniedException",
        ConnectTimeoutError(endpoint_url="https://lambda"),
        {},
        {"AccountLimit": None},
    ],
)
def test_the_default_is_used_and_named_where_the_account_does_not_answer(answer: Any) -> None:
    slots = FreeFunctions.of(account(answer), None)
    assert slots.most_workers == 900
    assert "default for an account, because the account's value could not be read" in slots.source


# Prices come from the price list where they can, and from the dated default where they can't.


EUROPE = [*region("eu-central-1"), *region("sa-east-1", read="0.0000001875", write="0.0000009375")]


@pytest.mark.parametrize("filters", [False, True], ids=["answers with more", "filters"])
@pytest.mark.parametrize(
    ("code", "is_infrequent_access", "read", "write"),
    [
        ("eu-central-1", False, 0.1525, 0.7625),
        ("eu-central-1", True, 0.19, 0.95),
        ("sa-east-1", False, 0.1875, 0.9375),
    ],
)
def test_an_on_demand_unit_differs_from_hourly_capacity_other_classes_and_other_regions(
    code: str, is_infrequent_access: bool, read: float, write: float, filters: bool
) -> None:
    listed = Listed(*EUROPE, filters=filters)
    local = prices(listed, code, is_infrequent_access=is_infrequent_access)
    assert local.region == code
    assert local.read_units.dollars_per_million == pytest.approx(read)
    assert local.write_units.dollars_per_million == pytest.approx(write)
    assert (local.read_units.as_of, local.read_units.source) == ("2026-10-31", "AWS Price List API")


def test_each_price_that_is_not_listed_is_the_dated_default() -> None:
    local = prices(Listed(*EUROPE), "eu-central-1")
    assert local.s3_puts.dollars_per_million == pytest.approx(5.4)
    assert (local.s3_gets, local.exported_gb) == (US_EAST_1.s3_gets, US_EAST_1.exported_gb)
    assert [origin.partition(":")[0] for origin in local.origins] == [
        "2026-10-31, AWS Price List API",
        "2024-11, AWS price list of us-east-1, not read from a bill",
    ]


@pytest.mark.parametrize(
    ("listed", "believed"),
    [("0.000130", False), ("0.000000626", False), ("0.000000024", False), ("0.000000624", True), ("0.000000026", True)],
)
def test_a_price_more_than_five_times_off_the_default_is_ignored_and_reported(listed: str, believed: bool) -> None:
    price = prices(Listed(*region("eu-central-1", read=listed)), "eu-central-1").read_units
    dollars = f"{float(listed) * 1e6:,.10g}"
    assert (price.dollars_per_million != 0.125) is believed
    assert (f"AWS Price List API of 2026-10-31 says ${dollars} per million" in price.source) is not believed


def test_a_price_of_a_list_without_a_date_is_undated() -> None:
    documents = [json.loads(text) for text in EUROPE]
    for document in documents:
        del document["publicationDate"]
    local = prices(Listed(*map(json.dumps, documents)), "eu-central-1")
    assert local.read_units.as_of == "undated"


def refused(error: Exception | str) -> Any:
    return faulty(None, {"get_products": repeat(error)}, "pricing")


@pytest.mark.parametrize(
    "price_list",
    [
        refused("AccessDeniedException"),
        refused(ConnectTimeoutError(endpoint_url="https://api.pricing.us-east-1.amazonaws.com")),
        Listed(),
        Listed("not json"),
        Listed('{"product": {"attributes": {"group": "DDB-ReadUnits"}}}'),
        Listed('{"product": null}'),
        Listed(*(json.dumps({**json.loads(text), "terms": {"OnDemand": []}}) for text in EUROPE)),
    ],
    ids=["refused", "unreachable", "empty", "no JSON", "no terms", "no product", "terms of another form"],
)
def test_nothing_fails_because_a_price_cannot_be_had(price_list: Any) -> None:
    assert prices(price_list, "eu-central-1") == US_EAST_1
    assert prices(price_list, "eu-central-1", is_infrequent_access=True) == INFREQUENT_ACCESS


@pytest.mark.parametrize("filters", [False, True], ids=["answers with more", "filters"])
def test_a_month_of_storage_and_an_hour_of_capacity_are_those_of_the_region_and_of_each_class(filters: bool) -> None:
    local = monthly(Listed(*EUROPE, filters=filters), "eu-central-1")
    assert local.region == "eu-central-1"
    found = {name: getattr(local, name).dollars_per_million / 1e6 for name in ("stored_gb", "infrequent_stored_gb")}
    assert found == pytest.approx({"stored_gb": 0.306, "infrequent_stored_gb": 0.1224})
    assert local.read_capacity.dollars_per_million == pytest.approx(158.6)
    assert local.write_capacity.dollars_per_million == pytest.approx(793)


REQUESTS, STORED = "Amazon DynamoDB PayPerRequest Throughput", "Amazon DynamoDB - Indexed DataStore"
RUN = [
    ("AWSLambda", {"group": "AWS-Lambda-Duration-ARM"}),
    ("AWSLambda", {"group": "AWS-Lambda-Requests-ARM"}),
    ("AmazonStates", {"group": "SFN-StateTransitions"}),
    ("AmazonS3", {"group": "S3-API-Tier1"}),
    ("AmazonS3", {"group": "S3-API-Tier2"}),
    ("AmazonDynamoDB", {"volumeType": "Amazon DynamoDB - Export Size"}),
]


def units(*groups: str, family: str = REQUESTS) -> list[tuple[str, dict[str, str]]]:
    return [("AmazonDynamoDB", {"productFamily": family, "group": f"DDB-{group}"}) for group in groups]


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (prices, [*units("ReadUnits", "WriteUnits"), *RUN]),
        (partial(prices, is_infrequent_access=True), [*units("ReadUnitsIA", "WriteUnitsIA"), *RUN]),
        (
            monthly,
            [
                ("AmazonDynamoDB", {"productFamily": "Database Storage", "volumeType": STORED}),
                ("AmazonDynamoDB", {"productFamily": "Database Storage", "volumeType": f"{STORED} - IA"}),
                *units("ReadUnits", "WriteUnits", family="Provisioned IOPS"),
            ],
        ),
    ],
    ids=["a run", "infrequent access", "a month"],
)
def test_each_product_is_asked_for_by_the_names_that_the_list_has(
    ask: Callable[..., object], expected: list[tuple[str, dict[str, str]]]
) -> None:
    asked: list[tuple[str, dict[str, str]]] = []

    def listed(*, ServiceCode: str, Filters: list[dict[str, str]]) -> dict[str, Any]:  # noqa: N803 (boto3's)
        assert {each["Type"] for each in Filters} == {"TERM_MATCH"}
        asked.append((ServiceCode, {each["Field"]: each["Value"] for each in Filters}))
        return {"PriceList": []}

    ask(SimpleNamespace(get_products=listed), "eu-central-1")
    assert asked == [(service, {"regionCode": "eu-central-1", **names}) for service, names in expected]
