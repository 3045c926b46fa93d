"""A mark says whose an item is, and no two environments or tables have the same."""

from typing import Any

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.mark import MARK, home, is_of, of_job, of_keeper

ARN = "arn:aws:lambda:us-east-1:111111111111:function:skipscan-prod-keeper-Orders"
TABLE = {"TableArn": "arn:aws:dynamodb:us-east-1:111111111111:table/Orders", "TableId": "a"}


def described(document: dict[str, str]) -> TableDescription:
    return TableDescription.from_json({"AttributeDefinitions": [], "KeySchema": [], **document})


HOME = home("prod", ARN, described(TABLE))


def marked(mark: str) -> dict[str, Any]:
    return {"pk": {"S": "p"}, MARK: {"S": mark}}


@pytest.mark.parametrize(
    ("environment", "arn", "table"),
    [
        ("beta", ARN, TABLE),
        ("prod", ARN.replace("1111", "2222"), TABLE),
        ("prod", ARN.replace("us-east-1", "us-east-2"), TABLE),
        ("prod", ARN.replace("arn:aws:", "arn:aws-cn:"), TABLE),
        ("prod", ARN, {**TABLE, "TableArn": f"{TABLE['TableArn']}-2"}),
        ("prod", ARN, {**TABLE, "TableId": "b"}),  # deleted, and created again with the same name
        ("prod", ARN, {"TableArn": TABLE["TableArn"]}),
    ],
)
def test_no_other_environment_or_table_has_it(environment: str, arn: str, table: dict[str, str]) -> None:
    other = home(environment, arn, described(table))
    assert other != HOME
    assert not is_of(HOME, marked(of_keeper(other)))


def test_keeper_and_jobs_of_a_home_know_each_other_s_items() -> None:
    assert is_of(HOME, marked(of_keeper(HOME)))
    assert is_of(HOME, marked(of_job(HOME, "job-1", "2026-01-01T00:00:00Z")))
