"""A function that an act invokes may hang: the call must end before the batch's own function is stopped."""

from typing import Any

import boto3

from skipscan.aws import clients

SESSION = boto3.Session("AKIA", "secret", region_name="us-east-1")
CLIENTS: list[Any] = [clients.s3(SESSION, connections=1), clients.lambda_(SESSION, connections=1)]


def test_a_call_of_a_function_ends_within_the_time_that_a_batch_leaves_for_it() -> None:
    of_s3, of_lambda = (client.meta.config for client in CLIENTS)
    assert of_s3.read_timeout < of_lambda.read_timeout < clients.LONGEST_CALL_SECONDS


def test_a_call_of_a_function_is_not_repeated_by_the_client() -> None:
    """The function may still be running: what it does would be done twice."""
    assert CLIENTS[1].meta.config.retries["total_max_attempts"] == 1
