"""What queues keep, who reaches them, and what a follower reads of streams and queues, in every environment."""

import json
from collections.abc import Mapping

import pytest

from tests.engines.infra.conftest import OWN
from tests.engines.infra.template import Template, every

pytestmark = pytest.mark.xdist_group("synth")

DAY = 24 * 3600


def test_a_queue_keeps_what_a_person_has_to_look_at_for_two_weeks_and_is_encrypted(
    templates: Mapping[str, Template],
) -> None:
    """Late looks and their dead letters hold keys of items; the messages about a stream's failures hold none."""
    for environment, template, name, resource in every(templates, "AWS::SQS::Queue"):
        queue, redriven = resource["Properties"], resource["Properties"].get("RedrivePolicy")
        if redriven:
            dead = template.document["Resources"][redriven["deadLetterTargetArn"]["Fn::GetAtt"][0]]["Properties"]
            assert redriven["maxReceiveCount"] == 10
            assert queue["VisibilityTimeout"] >= 6 * 300, (
                "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html"
            )
            assert (queue["MessageRetentionPeriod"], dead["MessageRetentionPeriod"]) == (4 * DAY, 14 * DAY)
            assert queue.get("KmsMasterKeyId") == dead.get("KmsMasterKeyId")
        else:
            assert queue["MessageRetentionPeriod"] == 14 * DAY
        own = OWN.format("f") if environment == "company" and "Late" in name else None
        assert (queue.get("KmsMasterKeyId"), queue.get("SqsManagedSseEnabled")) == (
            (own, None) if own else (None, True)
        )


EVENTS = {
    "keeper": ["INSERT", "REMOVE"],
    "keep_attribute": ["INSERT", "MODIFY"],
    "replicator": ["INSERT", "MODIFY", "REMOVE"],
}
"""By handler: the changes after which it has something to do."""


def test_a_follower_sees_what_concerns_it_in_order_and_keeps_what_it_gives_up(
    templates: Mapping[str, Template],
) -> None:
    """Of a stream two batches of one key at once would be written in any order: a shard has one batch at a time.

    One bad record is found by halving, given up after ten attempts, and kept; all others are handled meanwhile.
    """
    for _, template, name, mapping in every(templates, "AWS::Lambda::EventSourceMapping"):
        follower = template.document["Resources"][mapping["Properties"]["FunctionName"]["Ref"]]["Properties"]
        handler = follower["Handler"].rpartition(".")[2]
        properties = {key: value for key, value in mapping["Properties"].items() if key not in {"FunctionName", "Tags"}}
        if "StartingPosition" not in properties:  # of late looks
            source = template.text(properties.pop("EventSourceArn"))
            expected = {"BatchSize": 10, "ScalingConfig": {"MaximumConcurrency": 10}}
            assert (handler, source, properties) == (
                "replicator",
                "the queue",
                {"FunctionResponseTypes": ["ReportBatchItemFailures"], **expected},
            )
            continue
        assert template.text(properties.pop("DestinationConfig")["OnFailure"]["Destination"]) == "the queue"
        assert json.loads(properties.pop("FilterCriteria")["Filters"][0]["Pattern"]) == {"eventName": EVENTS[handler]}
        assert properties == {
            "EventSourceArn": follower["Environment"]["Variables"].get("SKIPSCAN_STREAM", properties["EventSourceArn"]),
            "StartingPosition": "TRIM_HORIZON",
            "FunctionResponseTypes": ["ReportBatchItemFailures"],
            "BisectBatchOnFunctionError": True,
            "MaximumRetryAttempts": 10,
            "ParallelizationFactor": 1,
            "MaximumBatchingWindowInSeconds": 1,
            "BatchSize": 100,
        }, name
