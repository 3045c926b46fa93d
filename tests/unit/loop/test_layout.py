"""Where results are: each name is recognised as ours, none leads out of its folder, finished runs come newest first."""

import pytest

from skipscan.errors import InputError
from skipscan.loop.layout import Layout, is_own
from skipscan.loop.reader import object_link
from skipscan.pace.bill import Amounts
from tests.refusal import refused

LAYOUT = Layout("skipscan", "Orders", "runs", "nightly", suffix="csv")
STARTED = "2026-11-24T10:00:00+00:00"
NAMES = (
    LAYOUT.plan,
    LAYOUT.manifest,
    LAYOUT.report,
    LAYOUT.unfinished,
    LAYOUT.diff,
    LAYOUT.diff_part("new", 7),
    LAYOUT.part(7, 100_000),
    LAYOUT.part(10_000, 0),
    LAYOUT.checkpoint(7, 3, "a-b"),
    LAYOUT.allotment(7, 3, "a-b", Amounts(1.0, 2.0, 0.000003)),
    LAYOUT.resume("arn"),
    LAYOUT.entry("0123", STARTED),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_recognised_in_full_and_below_its_folder_and_reads_like_no_column(name: str) -> None:
    """Spark, DuckDB and Arrow take `worker=0007` for a column `worker`, and prefer it to an attribute of that name."""
    assert "=" not in name
    assert name.startswith("skipscan/Orders/")
    assert is_own(name)
    assert is_own(name.removeprefix(LAYOUT.root).removeprefix(LAYOUT.of_table))


def test_another_account_s_table_has_a_folder_of_its_own() -> None:
    theirs = Layout("skipscan", "Orders", "runs", "nightly", owner="@222222222222-us-east-1")
    assert theirs.of_table == "skipscan/Orders@222222222222-us-east-1/"
    assert not theirs.root.startswith(LAYOUT.of_table)


@pytest.mark.parametrize(
    ("table", "name", "field", "value"),
    [
        ("../Orders", "nightly", "table", "../Orders"),
        ("Orders", "..", "the execution's name", ".."),
        ("Orders", "a/b", "the execution's name", "a/b"),
    ],
)
def test_a_name_that_would_lead_elsewhere_is_refused(table: str, name: str, field: str, value: str) -> None:
    with refused(InputError, field, value, rule="^it becomes the name of a folder on S3"):
        Layout("skipscan", table, "runs", name)


URI = "s3://results-1/skipscan/Orders@1-x/runs/a b/report.html"
ASKED = "prefix=skipscan%2FOrders%401-x%2Fruns%2Fa+b%2Freport.html"


@pytest.mark.parametrize(
    ("partition", "region", "host"),
    [
        ("aws", "eu-central-1", "console.aws.amazon.com"),
        ("aws-cn", "cn-north-1", "console.amazonaws.cn"),
        ("aws-us-gov", "us-gov-west-1", "console.amazonaws-us-gov.com"),
        ("aws-eusc", "eusc-de-east-1", "console.amazonaws-eusc.eu"),
    ],
)
def test_the_link_is_that_of_the_partition_and_region(partition: str, region: str, host: str) -> None:
    link = object_link(URI, f"arn:{partition}:states:{region}:123456789012:execution:skipscan-dev:r")
    assert link == f"https://{region}.{host}/s3/object/results-1?region={region}&{ASKED}"
