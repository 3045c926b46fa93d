"""Each kept table has a function that may change this table and no other, on its stream, with a queue for failures."""

import json

import pytest

from infra.follower import short
from tests.engines.infra.conftest import KEY, LONG_NAME, STREAM
from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

TABLE = "arn:aws:dynamodb:eu-central-1:222222222222:table/{}"
NAMES = {"Orders": "skipscan-kept-keeper-Orders", LONG_NAME: f"skipscan-kept-keeper-{short(LONG_NAME)}"}


@pytest.mark.parametrize("table", NAMES)
def test_a_keeper_may_change_its_table_and_read_its_stream_and_nothing_else(kept_stack: Template, table: str) -> None:
    name = NAMES[table]
    assert kept_stack.permissions(kept_stack.the("AWS::Lambda::Function", FunctionName=name)["Role"]) == {
        *((f"dynamodb:{action}", TABLE.format(table)) for action in ("DescribeTable", "GetItem", "Query")),
        *((f"dynamodb:{action}", TABLE.format(table)) for action in ("PutItem", "DeleteItem")),
        *(
            (f"dynamodb:{action}", STREAM.format(table))
            for action in ("DescribeStream", "GetRecords", "GetShardIterator")
        ),
        ("dynamodb:ListStreams", "*"),
        ("kms:Decrypt", f"{KEY.format('c')} if kms:ViaService StringEquals dynamodb.eu-central-1.amazonaws.com"),
        *(("sqs:" + action, "the queue") for action in ("SendMessage", "GetQueueAttributes", "GetQueueUrl")),
        ("logs:CreateLogStream", f"/aws/lambda/{name}"),
        ("logs:PutLogEvents", f"/aws/lambda/{name}"),
    }


def test_without_a_keeper_no_role_may_write_to_a_table_or_read_a_stream(full: Template) -> None:
    allowed = {action for role in full.every("AWS::Lambda::Function") for action, _ in full.permissions(role["Role"])}
    assert not allowed & {"dynamodb:PutItem", "dynamodb:DeleteItem", "dynamodb:GetRecords"}
    assert full.every("AWS::Lambda::EventSourceMapping") == []


def test_the_function_knows_its_table_and_its_marker(kept_stack: Template) -> None:
    function = kept_stack.the("AWS::Lambda::Function", FunctionName=NAMES["Orders"])
    assert (function["Handler"], function["Timeout"]) == ("handlers.stream.keeper", 300)
    variables = function["Environment"]["Variables"]
    assert variables["SKIPSCAN_TABLE"] == "Orders"
    assert json.loads(variables["SKIPSCAN_MARKER"]) == {"sk": "#static", "GSI-pk": "{pk}"}


def test_records_that_cannot_change_a_marker_are_filtered_out_and_failures_are_bounded(kept_stack: Template) -> None:
    mapping = kept_stack.the("AWS::Lambda::EventSourceMapping", EventSourceArn=STREAM.format("Orders"))
    assert json.loads(mapping["FilterCriteria"]["Filters"][0]["Pattern"]) == {"eventName": ["INSERT", "REMOVE"]}
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["BisectBatchOnFunctionError"] is True
    assert mapping["MaximumRetryAttempts"] == 10
    assert mapping["StartingPosition"] == "TRIM_HORIZON"
    assert mapping["ParallelizationFactor"] == 1
    assert kept_stack.text(mapping["DestinationConfig"]["OnFailure"]["Destination"]) == "the queue"


def test_the_queue_of_failures_is_encrypted_reached_by_tls_alone_and_keeps_for_14_days(kept_stack: Template) -> None:
    queues = kept_stack.every("AWS::SQS::Queue")
    assert len(queues) == len(NAMES)
    for queue in queues:
        assert queue["SqsManagedSseEnabled"] is True
        assert queue["MessageRetentionPeriod"] == 14 * 24 * 3600
    policies = kept_stack.every("AWS::SQS::QueuePolicy")
    assert len(policies) == len(NAMES)
    for policy in policies:
        (statement,) = policy["PolicyDocument"]["Statement"]
        assert (statement["Effect"], statement["Principal"]) == ("Deny", {"AWS": "*"})
        assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


@pytest.mark.parametrize("table", ["Orders", "with.dots", "x" * 255, "y" * 24])
def test_a_function_s_name_fits_for_every_table_name(table: str) -> None:
    name = f"skipscan-{'e' * 24}-keeper-{short(table)}"
    assert len(name) <= 64
    assert name.replace("-", "").replace("_", "").isalnum()
    assert short(table) != short(f"{table}2")
