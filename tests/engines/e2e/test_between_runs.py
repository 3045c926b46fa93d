"""Comparisons with the previous run, as deployed, and their events on a bus and a topic."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from local.embedded import CONFIG, SESSION, Embedded
from tests.engines.e2e.conftest import TOPIC, Deployment
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition

pytestmark = pytest.mark.xdist_group("embedded")

TABLE = "Compared"


class Mailbox:
    """A queue in which something arrives."""

    def __init__(self, account: Embedded, name: str) -> None:
        self._sqs: Any = SESSION.client("sqs", endpoint_url=account.endpoint, config=CONFIG)
        self._url = self._sqs.create_queue(QueueName=name)["QueueUrl"]
        asked = self._sqs.get_queue_attributes(QueueUrl=self._url, AttributeNames=["QueueArn"])
        self.arn = asked["Attributes"]["QueueArn"]

    def take(self) -> Any:
        """Return the next message, as JSON, once it arrives."""
        while True:
            for message in self._sqs.receive_message(QueueUrl=self._url, WaitTimeSeconds=5).get("Messages", []):
                self._sqs.delete_message(QueueUrl=self._url, ReceiptHandle=message["ReceiptHandle"])
                return json.loads(message["Body"])


@pytest.fixture(scope="module")
def events(deployment: Deployment) -> Mailbox:
    """Return the events of finished runs over the table on the default bus, matched by the documentation's rule."""
    mailbox = Mailbox(deployment.account, "events")
    bus: Any = SESSION.client("events", endpoint_url=deployment.account.endpoint, config=CONFIG)
    pattern = {
        "source": ["skipscan"],
        "detail-type": ["Skipscan Run Finished"],
        "detail": {"version": [1], "output": {"table": [TABLE]}},
    }
    bus.put_rule(Name="finished", EventPattern=json.dumps(pattern))
    bus.put_targets(Rule="finished", Targets=[{"Id": "mailbox", "Arn": mailbox.arn}])
    return mailbox


@pytest.fixture(scope="module")
def messages(deployment: Deployment) -> Mailbox:
    mailbox = Mailbox(deployment.account, "messages")
    attributes = {"RawMessageDelivery": "true", "FilterPolicyScope": "MessageBody"}
    attributes["FilterPolicy"] = json.dumps({"output": {"table": [TABLE]}})
    deployment.topics.subscribe(TopicArn=TOPIC, Protocol="sqs", Endpoint=mailbox.arn, Attributes=attributes)
    return mailbox


def items(customer: str) -> Iterator[Item]:
    for order in range(3):
        yield {"customer": {"S": customer}, "order": {"N": str(order)}, "body": {"B": bytes(2000)}}


def test_a_run_compares_itself_with_the_one_before_and_announces_it(
    deployment: Deployment, events: Mailbox, messages: Mailbox
) -> None:
    schema = KeySchema.of(("customer", "S"), ("order", "N"))
    deployment.load(TableDefinition(TABLE, schema), (item for n in range(12) for item in items(f"c{n}")))
    first = deployment.run(table=TABLE, compare="previous", segments=3, workers=2)
    assert (first["keys"], first["diff"]["outcome"]) == (12, "first")

    for item in [*items("new 1"), *items("new 2")]:
        deployment.account.dynamodb.put_item(TableName=TABLE, Item=dict(item))
    for item in items("c5"):
        key = {name: item[name] for name in ("customer", "order")}
        deployment.account.dynamodb.delete_item(TableName=TABLE, Key=key)
    second = deployment.run(table=TABLE, compare="previous", segments=5)
    assert second["diff"] == {
        "outcome": "compared",
        "reason": None,
        "old": first["run"],
        "new_keys": 2,
        "vanished_keys": 1,
        "document": second["manifest"].replace("manifest.json", "diff.json"),
        "notice": second["notice"],
    }
    assert second["notice"].startswith("Compared: 2 new, 1 vanished, 13 in all, $0.00")
    document = deployment.document(second["diff"]["document"])
    assert deployment.lines(document["parts"]["new"]) == [{"customer": "new 1"}, {"customer": "new 2"}]
    assert deployment.lines(document["parts"]["vanished"]) == [{"customer": "c5"}]

    for output in (first, second):
        event, message = events.take(), messages.take()
        assert (event["source"], event["detail-type"]) == ("skipscan", "Skipscan Run Finished")
        assert event["detail"] == message
        assert message == {
            "version": 1,
            "environment": "e2e",
            "execution": deployment.execution(output["run"]),
            "output": output,
        }
