"""Names of tables, and how messages quote what somebody gave."""

import pytest
from botocore.loaders import Loader

from skipscan.inputs.names import (
    is_run_name,
    is_table,
    partition_of,
    quoted,
    table_name,
    table_owner,
)

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/Orders"


def test_a_table_is_named_or_given_by_its_arn() -> None:
    assert [is_table(name) for name in ("Orders", ARN, "a/b", "ab", f"{ARN}/index/a", "")] == [True, True, *[False] * 4]
    assert (table_name(ARN), table_name("Orders")) == ("Orders", "Orders")


def test_only_a_table_of_elsewhere_has_an_owner() -> None:
    here = "us-east-1:111111111111"
    assert (table_owner("Orders", here), table_owner(ARN, here)) == ("", "")
    assert table_owner(ARN, "eu-west-1:111111111111") == "@111111111111-us-east-1"
    assert table_owner(ARN, "us-east-1:222222222222") == "@111111111111-us-east-1"


@pytest.mark.parametrize(
    "name", ["", ".", "..", "...", "a b", "a/b", "a\\b", "a#b", 'a"b', "a\0", "\ud800", "a" * 81, "\x9f"]
)
def test_a_run_s_name_is_one_step_of_a_path(name: str) -> None:
    assert not is_run_name(name)


DEEP: list[object] = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("ä\n", '"\\u00e4\\n"'),
        (1e21, "1000000000000000000000"),
        (1e-7, "0.0000001"),
        (10**5000, "a value too long to show"),
        (DEEP, "a value too deep to show"),
        (None, "null"),
        ("x" * 98, f'"{"x" * 98}"'),
        ("x" * 99, f'"{"x" * 96}...'),
    ],
    ids=["escaped", "large", "small", "long", "deep", "null", "fits", "cut"],
)
def test_a_value_is_quoted_in_ascii_and_cut(value: object, text: str) -> None:
    assert quoted(value) == text


def test_every_region_that_botocore_knows_has_the_partition_that_botocore_names() -> None:
    known = {
        region: partition["id"]
        for partition in Loader().load_data("partitions")["partitions"]
        for region in partition["regions"]
        if not region.endswith("-global")
    }
    assert known.keys() >= {"eu-central-1", "us-gov-west-1", "cn-north-1"}
    assert {region: partition_of(region) for region in known} == known
