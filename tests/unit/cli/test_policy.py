"""`skipscan policy`: the policies of docs/policies, filled in."""

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

from skipscan.cli.commands.policy import POLICIES
from skipscan.cli.main import skipscan


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize(("region", "partition"), [("eu-central-1", "aws"), ("us-gov-west-1", "aws-us-gov")])
def test_arns_are_of_the_partition_of_the_region(name: str, region: str, partition: str) -> None:
    printed = CliRunner().invoke(skipscan, ["policy", name, "--region", region])
    assert json.loads(printed.stdout)["Version"] == "2012-10-17"
    assert set(re.findall(r"arn:([a-z-]+):", printed.stdout)) == {partition}


def test_a_given_arn_keeps_its_partition() -> None:
    given = "arn:aws-cn:dynamodb:cn-north-1:111111111111:table/Orders"
    named = CliRunner().invoke(skipscan, ["policy", "command-line", "--region", "us-gov-west-1", "--table", given])
    assert given in named.stdout


GIVEN = {"--env": "dev", "--region": "eu-central-1", "--account": "111111111111", "--bucket": "results-1"}


def printed(name: str, **given: str) -> dict[str, Any]:
    asked = GIVEN | {f"--{option}": value for option, value in given.items()}
    done = CliRunner().invoke(skipscan, ["policy", name, *(word for pair in asked.items() for word in pair)])
    assert done.exit_code == 0, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    return document


WRONG = {
    "topic": [
        "*",
        "runs*",
        "ru ns",
        "arn:aws:sns:eu-central-1:111111111111:runs.fifo",
        "arn:aws:sns:*:111111111111:runs",
        "",
    ],
    "env": ['de"v', "*", "dev*", "", "d" * 25, "de v", "dev/x", "dev\n"],
    "region": ["eu", "*", 'eu-central-1"', "eu-central-1:1", "Frankfurt", ""],
    "account": ["1", "*", "11111111111a", "arn:aws:iam::111111111111:root", "\uff11" * 12, ""],
    "bucket": ["*", 'a"b', "ab", "a" * 64, "Bucket", "results/*", "arn:aws:s3:::results", ""],
    "table": ["*", 'Or"ders', "Orders*", "ab", "Orders/index/x", "arn:aws:dynamodb:*:111111111111:table/Orders", ""],
}


@pytest.mark.parametrize(("option", "value"), [(option, value) for option, values in WRONG.items() for value in values])
def test_a_value_that_would_break_or_widen_the_policy_is_refused(option: str, value: str) -> None:
    done = CliRunner().invoke(skipscan, ["policy", "cut-over", f"--{option}", value])
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"--{option}" in done.stderr


def test_a_topic_lets_the_environment_s_account_and_its_alarms_publish() -> None:
    arn = "arn:aws:sns:eu-central-1:222222222222:runs"
    announces, alarms = printed("topic", topic=arn)["Statement"]
    assert announces["Principal"] == {"AWS": "arn:aws:iam::111111111111:root"}
    assert alarms["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    assert alarms["Condition"] == {"StringEquals": {"aws:SourceAccount": "111111111111"}}
    assert {(each["Action"], each["Resource"]) for each in (announces, alarms)} == {("sns:Publish", arn)}
    by_name = printed("topic", topic="runs", account="222222222222")["Statement"]
    assert by_name[0]["Resource"] == arn
    said = CliRunner().invoke(skipscan, ["policy", "topic", "--topic", arn]).stderr
    assert f"aws sns set-topic-attributes --topic-arn {arn} --attribute-name Policy" in " ".join(said.split())
