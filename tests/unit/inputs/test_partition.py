"""ARNs are of the partition of their region."""

from botocore.loaders import Loader

from skipscan.inputs.names import in_partition, partition_of


def test_every_region_that_botocore_knows_has_the_partition_that_botocore_names() -> None:
    known = {
        region: partition["id"]
        for partition in Loader().load_data("partitions")["partitions"]
        for region in partition["regions"]
        if not region.endswith("-global")
    }
    assert known.keys() >= {"eu-central-1", "us-gov-west-1", "cn-north-1"}
    assert {region: partition_of(region) for region in known} == known


def test_every_arn_of_a_document_is_moved() -> None:
    document = '["arn:aws:s3:::a", "arn:aws:iam::1:role/arn-aws", "aws"]'
    assert in_partition(document, "aws-cn") == '["arn:aws-cn:s3:::a", "arn:aws-cn:iam::1:role/arn-aws", "aws"]'
