"""A deployed function that repeats what it gets in a queue."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

from local.checkout import ACCOUNT
from local.embedded import CONFIG, SESSION, Embedded

ROLE = f"arn:aws:iam::{ACCOUNT}:role/any"
SOURCE = """
import json, os
def handler(event, context):
    import boto3
    boto3.client("sqs").send_message(QueueUrl=os.environ["SEEN"], MessageBody=json.dumps(event))
"""


def queues(account: Embedded) -> Any:
    return SESSION.client("sqs", endpoint_url=account.endpoint, config=CONFIG)


def deployed(account: Embedded, name: str) -> str:
    """Create a function; return the URL of its queue."""
    url = str(queues(account).create_queue(QueueName=f"seen-by-{name}")["QueueUrl"])
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("receiver.py", SOURCE)
    account.awslambda.create_function(
        FunctionName=name,
        Runtime="python3.13",
        Role=ROLE,
        Handler="receiver.handler",
        Code={"ZipFile": archive.getvalue()},
        Timeout=30,
        Environment={"Variables": {"SEEN": url}},
    )
    return url


def received(account: Embedded, url: str) -> Iterator[Any]:
    """Yield the messages of a queue until there is none, and take them out."""
    queue = queues(account)
    while messages := queue.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        for message in messages:
            queue.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            yield json.loads(message["Body"])
