"""boto3 clients with bounded waits, which do not hide for long that calls are refused."""

from typing import Any

import boto3
from botocore.config import Config

from skipscan import __version__
from skipscan.aws.answer import check_document, check_whole, extract_items
from skipscan.aws.repeats import watch
from skipscan.aws.services import DynamoDBClient, LambdaClient, S3Client

LONGEST_CALL_SECONDS = 120
"""The longest duration of a call: six attempts of ten seconds, and the backoff between them (1, 2, 4, 8, 16 s)."""


ATTEMPTS = 6


def _config(connections: int, attempts: int = ATTEMPTS) -> Config:
    return Config(
        connect_timeout=5,
        read_timeout=10,
        # "standard" recovers after throttling; "adaptive" stays slow for the rest of the run.
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=connections,
        tcp_keepalive=True,
        # Given in full, because botocore otherwise composes it for every request: a seventh of a short page's time.
        user_agent=f"skipscan/{__version__} Boto3/{boto3.__version__}",
    )


def make(session: boto3.Session, service: Any, config: Config | None = None, **options: Any) -> Any:
    """Return a client that raises for incomplete answers."""
    client = session.client(service, config=config, **options)
    # boto3 makes the classes of errors at their first use. Two threads that do so at once get different ones, and the
    # `except` of one does not catch what the other's client raises.
    client.exceptions  # noqa: B018
    watch(client)
    client.meta.events.register("after-call", check_whole)
    client.meta.events.register("before-parse", check_document)
    return client


def dynamodb(
    session: boto3.Session, connections: int, endpoint_url: str | None = None, *, attempts: int = 1
) -> DynamoDBClient:
    """Return a client for `connections` concurrent requests.

    By default it retries nothing, because a walk's own pace does.
    """
    config = _config(connections, attempts=attempts).merge(
        Config(parameter_validation=False)
    )  # the service checks them, too
    client: DynamoDBClient = make(session, "dynamodb", config, endpoint_url=endpoint_url)
    client.meta.events.register("before-parse.dynamodb.Scan", extract_items)
    return client


def s3(session: boto3.Session, connections: int = 16) -> S3Client:
    client: S3Client = make(session, "s3", _config(connections))
    return client


def lambda_(session: boto3.Session, connections: int) -> LambdaClient:
    """Return a client that waits for a function as long as one call may take, and retries nothing."""
    config = _config(connections, attempts=1).merge(Config(read_timeout=LONGEST_CALL_SECONDS - 10))
    client: LambdaClient = make(session, "lambda", config)
    return client


def sqs(session: boto3.Session, connections: int) -> Any:
    return make(session, "sqs", _config(connections, attempts=1))


def single(session: boto3.Session, service: Any) -> Any:
    """Return a client of any service for single calls, which retries temporary faults."""
    return make(session, service, _config(1))
