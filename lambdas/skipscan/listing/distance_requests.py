"""Measures how far away DynamoDB is from here."""

import time
from collections.abc import Callable
from urllib.parse import urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws.clients import DynamoDBClient
from skipscan.scan.width import MOST_WALKS, START_WALKS

FAR_SECONDS = 0.025
"""DescribeTable takes some 10 ms itself. From this latency on, more than 16 walks pay."""

HERE = {"localhost", "127.0.0.1", "::1"}

LOOKS = 2
"""The faster of these counts: a busy machine delays an answer too."""


def useful_walks(client: DynamoDBClient, table: str, clock: Callable[[], float] = time.monotonic) -> int:
    """Return how many walks may pay from here: measured by DescribeTable over a connection that is open.

    An endpoint on this machine is near, whatever the machine is busy with.
    """
    if urlsplit(client.meta.endpoint_url).hostname in HERE:
        return START_WALKS
    seconds = []
    for _ in range(LOOKS):
        start = clock()
        try:
            client.describe_table(TableName=table)
        except (BotoCoreError, ClientError):  # the scan itself reports this
            return START_WALKS
        seconds.append(clock() - start)
        if seconds[-1] < FAR_SECONDS:
            return START_WALKS
    return MOST_WALKS
