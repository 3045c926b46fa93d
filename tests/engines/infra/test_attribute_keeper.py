"""A keeper of an attribute may update its table and no other, on its stream, with a queue for failures."""

import json
from typing import Any

import pytest

from infra.cdk_json import read_environments
from infra.follower import short
from infra.section import CdkJsonError
from tests.engines.infra.conftest import AUDIT_STREAM, KEY
from tests.engines.infra.template import Template
from tests.refusal import failed

pytestmark = pytest.mark.xdist_group("synth")

TABLE = "arn:aws:dynamodb:us-east-1:111111111111:table/Audit"
NAME = f"skipscan-retrofit-keep-{short('Audit')}"


def test_it_may_update_its_table_and_read_its_stream_and_nothing_else(retrofit: Template) -> None:
    function = retrofit.the("AWS::Lambda::Function", FunctionName=NAME)
    key = KEY.format("c").replace("eu-central-1", "us-east-1")
    assert {p for p in retrofit.permissions(function["Role"]) if not p[0].startswith("logs:")} == {
        *((f"dynamodb:{action}", TABLE) for action in ("DescribeTable", "GetItem", "UpdateItem")),
        *((f"dynamodb:{action}", AUDIT_STREAM) for action in ("DescribeStream", "GetRecords", "GetShardIterator")),
        ("dynamodb:ListStreams", "*"),
        ("kms:Decrypt", f"{key} if kms:ViaService StringEquals dynamodb.us-east-1.amazonaws.com"),
        *((f"sqs:{action}", "the queue") for action in ("SendMessage", "GetQueueAttributes", "GetQueueUrl")),
    }


def test_it_knows_its_table_and_what_to_set(retrofit: Template) -> None:
    function = retrofit.the("AWS::Lambda::Function", FunctionName=NAME)
    assert (function["Handler"], function["Timeout"]) == ("handlers.stream.keep_attribute", 300)
    variables = function["Environment"]["Variables"]
    assert (variables["SKIPSCAN_TABLE"], variables["SKIPSCAN_STREAM"]) == ("Audit", AUDIT_STREAM)
    assert json.loads(variables["SKIPSCAN_KEPT"]) == {"set": {"made": "{a}-{b}"}}


def test_deletions_are_filtered_out_and_failures_are_bounded_and_kept(retrofit: Template) -> None:
    mapping = retrofit.the("AWS::Lambda::EventSourceMapping", EventSourceArn=AUDIT_STREAM)
    assert json.loads(mapping["FilterCriteria"]["Filters"][0]["Pattern"]) == {"eventName": ["INSERT", "MODIFY"]}
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["BisectBatchOnFunctionError"] is True
    assert mapping["MaximumRetryAttempts"] == 10
    assert mapping["StartingPosition"] == "TRIM_HORIZON"
    [queue] = retrofit.every("AWS::SQS::Queue")
    assert (queue["SqsManagedSseEnabled"], queue["MessageRetentionPeriod"]) == (True, 14 * 86400)


@pytest.mark.parametrize(
    ("keeper", "facts"),
    [
        ({"set": {"made": "{a}"}}, [".attribute_keeper.stream is missing; "]),
        ({"stream": "x", "set": {"made": "{a}"}}, ['.attribute_keeper.stream is "x"; ', "LatestStreamArn"]),
        ({"stream": AUDIT_STREAM.replace("Audit", "Other"), "set": {"made": "{a}"}}, ["table/Other/", "other than"]),
        ({"stream": AUDIT_STREAM.replace("us-east-1", "eu-west-1"), "set": {"made": "{a}"}}, ["account and region"]),
        ({"stream": AUDIT_STREAM}, ["set is missing"]),
        ({"stream": AUDIT_STREAM, "set": {"made": "{a}{b}"}}, ["between {a} and {b}"]),
        ({"stream": AUDIT_STREAM, "sets": {}}, [".attribute_keeper.sets is {}; "]),
    ],
)
def test_a_mistake_stops_synth_in_words(keeper: dict[str, Any], facts: list[str]) -> None:
    with failed(CdkJsonError, *facts):
        read_environments(
            {
                "dev": {
                    "account": "111111111111",
                    "region": "us-east-1",
                    "tables": ["Audit"],
                    "writing": {"Audit": {"attribute_keeper": keeper}},
                }
            }
        )
