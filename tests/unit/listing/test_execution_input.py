"""What the kind of work that lists keys says of a plan."""

from typing import Any

import numpy as np
import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, InputError
from skipscan.listing.estimate.explanation import explain
from skipscan.listing.execution_input import check_taken, parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from tests.refusal import refused
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.sampled import sampled

LARGE = HashedTable.spread(np.full(100, 1), np.full(100, 300_000), seed=1)
NEW = TableDescription.from_json(
    {
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}],
    }
)


def test_a_sample_that_cannot_estimate_the_run_expects_no_number_of_keys() -> None:
    """The first page of a new table takes all that a sample may, and DescribeTable has not counted the table yet."""
    asked = parse({"table": "Hashed", "dry_run": True})
    decided = plan_listing(asked, NEW)
    explanation = explain(asked, decided, NEW, sample=sampled(LARGE, decided, knows=False)).to_json()
    assert explanation["choice"]["expected"] is None
    assert LISTING.expected({"explanation": explanation}) is None


# The input of a run, and the answers to mistakes in it.


ARN = "arn:aws:dynamodb:eu-central-1:123456789012:table/Orders"


ORDERS = {"table": "Orders"}
MISTAKES: tuple[tuple[object, str, object, str, str, dict[str, Any]], ...] = (
    ({"table": "Or/ders"}, "table", "Or/ders", "", "3 to 255 of .* or its ARN", {}),
    ({"table": f"{ARN}/index/x"}, "table", f"{ARN}/index/x", "index", "or its ARN", {}),
    ({**ORDERS, "index": ""}, "index", "", "", "an index's name .3 to 255", {}),
    ({**ORDERS, "segments": 0}, "segments", 0, "", "1 to 1000000$", {}),
    ({**ORDERS, "workers": 1001}, "workers", 1001, "", "1 to 1000$", {}),
    ({**ORDERS, "max_read_units": 0}, "max_read_units", 0, "", "at least 0.5", {}),
    ({**ORDERS, "max_dollars": "2"}, "max_dollars", "2", "", "a number", {}),
    ({**ORDERS, "compare": "a/b"}, "compare", "a/b", "", '"previous", or the name', {}),
    ({**ORDERS, "resume": "a/b"}, "resume", "a/b", "", "the name of the run", {}),
    ({**ORDERS, "delimiter": ""}, "delimiter", "", "", "1 to 1024 bytes$", {}),
    ({**ORDERS, "delimiter": "é" * 513}, "delimiter", "é" * 513, "", "1 to 1024 bytes$", {}),
    ({**ORDERS, "delimiter": 1}, "delimiter", 1, "", "a text", {}),
    ({**ORDERS, "depth": 2}, "depth", 2, "delimiter depth", "counts delimiters", {}),
    ({**ORDERS, "prefix_length": 0}, "prefix_length", 0, "", "1 to 1024$", {}),
    (
        {**ORDERS, "prefix_length": 7, "delimiter": "#"},
        "prefix_length",
        7,
        "prefix_length delimiter",
        "delimiter or after",
        {"delimiter": "#"},
    ),
    ({**ORDERS, "only": "../x#"}, "only", "../x#", "", 'below "only/"', {}),
    ({**ORDERS, "only": ["a"]}, "only", ["a"], "", "the name of an object", {}),
    (
        {**ORDERS, "only": "x", "only_run": "y"},
        "only_run",
        OMITTED,
        "only_run only",
        "cannot be combined with only",
        {},
    ),
    ({**ORDERS, "only": "x", "segments": 4}, "segments", OMITTED, "segments only", "Queries", {}),
    ({**ORDERS, "only_run": "x", "strategy": "page"}, "strategy", OMITTED, "strategy only_run", "Queries", {}),
    ({**ORDERS, "profile": True, "index": "x-1"}, "index", OMITTED, "index profile", "of the whole table", {}),
)


@pytest.mark.parametrize(("document", "field", "value", "remedy", "rule", "beside"), MISTAKES)
def test_a_mistake_is_named_with_its_rule_and_a_way_out(
    *, document: object, field: str, value: object, remedy: str, rule: str, beside: dict[str, Any]
) -> None:
    with refused(InputError, field, value, remedy, rule=rule, **beside):
        parse(document)


def names(character: str, length: int, count: int = 100) -> list[str]:
    return [f"{character * (length - 3)}{number:03}" for number in range(count)]


@pytest.mark.parametrize("take", [{"first": names("字", 255), "last": names("é", 255)}, {"last": names("𝄞", 255)}])
def test_attributes_that_the_state_cannot_hold_are_refused_before_anything_is_read(take: dict[str, Any]) -> None:
    """Step Functions refuses a state of more than 256 KiB, and would do so after the sample was paid for."""
    with refused(InputError, "take", rule=r"has \d+,\d+ bytes as JSON in ASCII; the state can hold 32,768 of it"):
        parse({"table": "Orders", "take": take})


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"take": {"items": "all"}}, "take.items"),
        ({"take": {"items": ["pk", "address"]}}, "take.items"),
        ({"take": {"first": "all"}}, "take.first"),
        ({"take": {"first": ["sk"], "last": ["total"]}}, "take.last"),
        ({"profile": True}, "profile"),
        ({"take": {"items": ["sk"]}}, None),
        ({"take": {"count": {}}}, None),
        ({"delimiter": "-"}, None),
    ],
)
def test_an_environment_may_let_runs_take_keys_alone(asked: dict[str, Any], field: str | None) -> None:
    checked = parse({"table": "Orders", **asked})
    check_taken(checked, ())
    if field is None:
        check_taken(checked, ("pk", "sk"))
        return
    with pytest.raises(InputError) as raised:
        check_taken(checked, ("pk", "sk"))
    assert raised.value.field == field
    assert "pk, sk" in str(raised.value)
