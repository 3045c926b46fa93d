"""boto3 clients, set up so that a call neither waits for ever nor hides for long that it is being refused."""

from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config

from skipscan import __version__
from skipscan.aws.answer import check_document, check_whole, hand_over_items

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client

LONGEST_CALL_SECONDS = 120
"""What one call may take at most: six attempts of ten seconds, and the back-off between them (1, 2, 4, 8, 16 s)."""


ATTEMPTS = 6


def _config(connections: int, attempts: int = ATTEMPTS) -> Config:
    return Config(
        connect_timeout=5,
        read_timeout=10,
        # "standard" recovers after a burst of throttling; "adaptive" stays slow for the rest of the run.
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=connections,
        tcp_keepalive=True,
        # Given in full, or botocore composes it anew for every request: a seventh of a short page's time.
        user_agent=f"skipscan/{__version__} Boto3/{boto3.__version__}",
    )


def make(session: boto3.Session, service: Any, config: Config | None = None, **options: Any) -> Any:
    """Return a client that takes no answer for one that is not whole."""
    client = session.client(service, config=config, **options)
    client.meta.events.register("after-call", check_whole)
    client.meta.events.register("before-parse", check_document)
    return client


def dynamodb(
    session: boto3.Session, connections: int, endpoint_url: str | None = None, *, attempts: int = 1
) -> "DynamoDBClient":
    """Return a client for that many requests at once, whose Scan brings items of key attributes alone.

    Unless told, it tries nothing again: a walk's own pace sees to that.
    """
    config = _config(connections, attempts=attempts).merge(
        Config(parameter_validation=False)
    )  # the service checks the same
    client: DynamoDBClient = make(session, "dynamodb", config, endpoint_url=endpoint_url)
    client.meta.events.register("before-parse.dynamodb.Scan", hand_over_items)
    return client


def s3(session: boto3.Session, connections: int = 16) -> "S3Client":
    client: S3Client = make(session, "s3", _config(connections))
    return client


def lambda_(session: boto3.Session, connections: int) -> "LambdaClient":
    """Return a client that waits for a function as long as one call may take, and tries nothing again."""
    config = _config(connections, attempts=1).merge(Config(read_timeout=LONGEST_CALL_SECONDS - 10))
    client: LambdaClient = make(session, "lambda", config)
    return client


def sqs(session: boto3.Session, connections: int) -> Any:
    return make(session, "sqs", _config(connections, attempts=1))


def single(session: boto3.Session, service: Any) -> Any:
    """Return a client of any service for one call after the other, which tries again what may pass."""
    return make(session, service, _config(1))
