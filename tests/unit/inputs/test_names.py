"""Names of tables by themselves and in ARNs, and values as messages quote them."""

import pytest

from skipscan.inputs.names import quoted, table_arn, table_name, table_owner

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/Orders"
CHINA = "arn:aws-cn:states:cn-north-1:222222222222:stateMachine:skipscan"


def test_a_table_s_name_and_its_arn_say_the_same() -> None:
    assert (table_name("Orders"), table_name(ARN)) == ("Orders", "Orders")
    assert table_arn("Orders", CHINA) == "arn:aws-cn:dynamodb:cn-north-1:222222222222:table/Orders"
    assert table_arn(ARN, CHINA) == ARN


@pytest.mark.parametrize(
    ("table", "owner"),
    [
        ("Orders", ""),
        (ARN, ""),
        (ARN.replace("us-east-1", "eu-west-1"), "@111111111111-eu-west-1"),
        (ARN.replace("111111111111", "222222222222"), "@222222222222-us-east-1"),
    ],
)
def test_only_a_table_from_elsewhere_has_an_owner(table: str, owner: str) -> None:
    assert table_owner(table, "us-east-1:111111111111") == owner


def test_a_long_value_is_cut_to_a_hundred_characters() -> None:
    assert quoted("x" * 98) == f'"{"x" * 98}"'
    assert quoted("x" * 99) == f'"{"x" * 96}...'
    assert quoted(1e22) == "10000000000000000000000"
    assert quoted(10**5000) == "a value too long to show"
