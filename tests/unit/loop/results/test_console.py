"""Where the S3 console shows an object, in every partition of AWS."""

import pytest

from skipscan.loop.results import object_link

pytestmark = pytest.mark.slow

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


def test_the_resource_may_be_any_of_the_region() -> None:
    """The shortest ARN has six parts."""
    assert object_link(URI, "arn:aws:sqs:eu-west-1:123456789012:failed").startswith("https://eu-west-1.console.aws.")


@pytest.mark.parametrize("arn", ["arn:aws-iso:states:us-iso-east-1:1:execution:m:r", "arn:run-1", ""])
def test_without_a_known_console_the_address_on_s3_is_shown(arn: str) -> None:
    assert object_link(URI, arn) == URI
