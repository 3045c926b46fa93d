"""The partition in ARNs, such as `aws` or `aws-us-gov`: it follows from the region."""

PREFIXES = {
    "cn-": "aws-cn",
    "eu-isoe-": "aws-iso-e",
    "eusc-": "aws-eusc",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "us-isof-": "aws-iso-f",
}
"""The beginning of the regions' names in each partition but `aws`. A test compares them with botocore's data."""


def partition_of(region: str) -> str:
    """Return the partition of a region."""
    return next((partition for prefix, partition in PREFIXES.items() if region.startswith(prefix)), "aws")


def in_partition(document: str, partition: str) -> str:
    """Return a policy that is written for the partition `aws` with the ARNs of another one."""
    return document.replace("arn:aws:", f"arn:{partition}:")
