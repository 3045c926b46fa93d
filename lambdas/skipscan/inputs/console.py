"""Addresses in the AWS console. No request is made, and none of them grants anything."""

from urllib.parse import urlencode

HOSTS = {
    "aws": "console.aws.amazon.com",
    "aws-cn": "console.amazonaws.cn",
    "aws-us-gov": "console.amazonaws-us-gov.com",
    "aws-eusc": "console.amazonaws-eusc.eu",
}
"""The console's host in each public partition; others get no link."""


def object_link(uri: str, arn: str) -> str:
    """Return the page of an object in the S3 console, or its URI if the console is unknown.

    `uri`: s3://bucket/name. `arn`: of any resource in the bucket's partition and region.
    """
    if not uri.startswith("s3://") or arn.count(":") < 5:
        return uri
    bucket, _, name = uri.removeprefix("s3://").partition("/")
    _, partition, _, region, *_ = arn.split(":")
    if partition not in HOSTS or not region:
        return uri
    asked = urlencode({"region": region, "prefix": name})
    return f"https://{region}.{HOSTS[partition]}/s3/object/{bucket}?{asked}"
