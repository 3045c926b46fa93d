"""`skipscan policy`: the policies of docs/policies, filled in."""

import json
import re

import pytest
from botocore.loaders import Loader
from click.testing import CliRunner

from skipscan.cli.main import skipscan
from skipscan.cli.partition import partition_of
from skipscan.cli.policy import POLICIES


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize(("region", "partition"), [("eu-central-1", "aws"), ("us-gov-west-1", "aws-us-gov")])
def test_arns_are_of_the_partition_of_the_region(name: str, region: str, partition: str) -> None:
    printed = CliRunner().invoke(skipscan, ["policy", name, "--region", region])
    assert json.loads(printed.stdout)["Version"] == "2012-10-17"
    assert set(re.findall(r"arn:([a-z-]+):", printed.stdout)) == {partition}


def test_without_a_region_arns_are_as_in_the_documentation() -> None:
    printed = CliRunner().invoke(skipscan, ["policy", "run", "--env", "dev"])
    assert "arn:aws:states:REGION:ACCOUNT:stateMachine:skipscan-dev" in printed.stdout


def test_every_region_that_botocore_knows_has_the_partition_that_botocore_names() -> None:
    known = {
        region: partition["id"]
        for partition in Loader().load_data("partitions")["partitions"]
        for region in partition["regions"]
        if not region.endswith("-global")
    }
    assert known.keys() >= {"eu-central-1", "us-gov-west-1", "cn-north-1"}
    assert {region: partition_of(region) for region in known} == known
