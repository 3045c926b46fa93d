"""boto3 clients with bounded waits, which do not hide for long that calls are refused.

They notice an answer that came before over the same connection.

A device between client and service that repeats an answer some milliseconds late shifts all later answers of its
connection by one: each request gets the answer of the request before it.

Every answer of DynamoDB has a request id of its own (developer guide, "Error handling with DynamoDB", names it for
each request). So an id that recurs on a connection shows the shift at its first answer, before any wrong one is used.
An engine that has no such ids, or a constant one, is not checked.
"""

import os
import random
from collections import deque
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.loaders import create_loader
from urllib3.exceptions import ProtocolError

from skipscan import __version__
from skipscan.aws.answer import check_document, check_whole, extract_items
from skipscan.aws.faults import fault
from skipscan.errors import InputError
from skipscan.pace.pace import MAY_PASS

__all__ = ["CloudFormationClient", "DynamoDBClient", "LambdaClient", "S3Client", "SFNClient"]

# Only a type checker has the stubs: while a program runs, each of these is `Any`.
if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_stepfunctions import SFNClient
else:
    CloudFormationClient = DynamoDBClient = LambdaClient = S3Client = SFNClient = Any


REPEATED = "an answer came twice over one connection"
HEADER = "x-amzn-requestid"

KEPT = 64
"""The ids kept of a connection: a repeat comes some milliseconds late, and not a minute."""

LEAST_CHARACTERS = 32
"""Shorter ids may be counters or constants of another engine: those of AWS have 36 or 52 characters."""


class Answered:
    """The ids of a connection's last answers."""

    def __init__(self) -> None:
        self._ids: deque[str] = deque(maxlen=KEPT)

    def is_repeat(self, request_id: str | None) -> bool:
        """Record an answer's id; return whether an earlier answer had it."""
        if request_id is None or len(request_id) < LEAST_CHARACTERS:
            return False
        if request_id in self._ids:
            return True
        self._ids.append(request_id)
        return False


@cache
def _watched(pool: Any) -> Any:
    """Return a class of pools whose connections close themselves at a repeated answer."""
    if hasattr(pool.ConnectionCls, "_answered"):
        return pool  # twice, it would take each answer for repeated

    class Connection(pool.ConnectionCls):  # type: ignore[misc]
        _answered: Answered | None = None

        def getresponse(self) -> Any:
            self._answered = self._answered or Answered()
            response = super().getresponse()
            if self._answered.is_repeat(response.headers.get(HEADER)):
                self.close()
                raise ProtocolError(REPEATED)  # botocore makes ConnectionClosedError of it
            return response

    class Pool(pool):  # type: ignore[misc]
        ConnectionCls = Connection

    return Pool


def watch(client: Any) -> None:
    """Let a boto3 client raise `ConnectionClosedError` for a repeated answer, and close its connection.

    botocore has no public place for this, and Lambda's runtime updates botocore by itself. A version without this place
    is left as it is; a test fails with such a version.
    """
    session = getattr(getattr(client, "_endpoint", None), "http_session", None)
    pools = getattr(session, "_pool_classes_by_scheme", None)
    if isinstance(pools, dict):
        pools.update({scheme: _watched(pool) for scheme, pool in pools.items()})


@cache
def domains() -> Mapping[str, tuple[str, str]]:
    """Return the domains of AWS's endpoints by partition, from botocore's data: the usual and the dual-stack one."""
    partitions = create_loader().load_data("partitions")["partitions"]
    return {each["id"]: (each["outputs"]["dnsSuffix"], each["outputs"]["dualStackDnsSuffix"]) for each in partitions}


def is_aws(client: Any) -> bool:
    """Return whether a client calls AWS itself, not an engine behind a custom endpoint."""
    host = urlsplit(client.meta.endpoint_url).hostname or ""
    return host.endswith(tuple(f".{domain}" for both in domains().values() for domain in both))


ATTEMPTS = 6

FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 1.0, 8.0
"""The waits between attempts double from the first to the longest. The second half of each is drawn at random, so that
a service that fails for ten seconds loses no call of `ATTEMPTS` attempts: their five waits take 11.5 to 23 seconds."""

LONGEST_CALL_SECONDS = 120
"""The longest duration of a call: six attempts that connect for 5 s and wait 10 s for an answer, and 23 s of waits."""


IMPATIENT = Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 1})
"""For answers that a plan or a command can do without."""


def _config(connections: int, attempts: int = ATTEMPTS) -> Config:
    return Config(
        connect_timeout=5,
        read_timeout=10,
        # "standard" recovers after throttling; "adaptive" stays slow for the rest of the run. The waits: see `_repeat`.
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=connections,
        tcp_keepalive=True,
        # Given in full, because botocore otherwise composes it for every request: a seventh of a short page's time.
        user_agent=f"skipscan/{__version__} Boto3/{boto3.__version__}",
    )


def _repeat(client: Any, most: int) -> None:
    """Let the waits between a client's attempts, at most so many, be ours.

    botocore's waits differ between its versions: since 1.44 (https://github.com/boto/botocore/pull/3678) six attempts
    wait 0.7 s instead of 18 while a service answers 500, and 20 lost calls of a client end all repeating. A lost put
    loses the reads of its whole batch, and Lambda's runtime updates botocore by itself.
    """

    def wait_seconds(
        *, response: Any, operation: Any, attempts: int, caught_exception: Exception | None, **_event: object
    ) -> float | None:
        error = caught_exception
        if response is not None and "Error" in response[1]:
            error = ClientError(response[1], operation.name)
        if error is None or attempts >= most or fault(error) not in MAY_PASS:
            return None
        longest = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** (attempts - 1))
        return longest * (1 + random.random()) / 2

    # botocore waits so many seconds before the next attempt. Its own handler answers, too: the first number counts.
    client.meta.events.register_first("needs-retry.*", wait_seconds)


def make(session: boto3.Session, service: Any, config: Config | None = None, **options: Any) -> Any:
    """Return a client that raises for incomplete answers. `config`: its `retries` say how many attempts a call has."""
    settings: Any = config or _config(1)  # botocore's types lack what it has of its options
    try:
        client = session.client(service, config=settings, **options)
    except (OSError, ValueError) as error:  # botocore's own errors are neither, but for an invalid region
        if isinstance(error, BotoCoreError):
            raise
        way = "correct region, endpoint_url and credential_process, in the environment or the profile"
        raise InputError("AWS settings", rule=f"cannot be used: {error}", remedy=way) from error
    _repeat(client, settings.retries["total_max_attempts"])
    # boto3 makes the classes of errors at their first use. Two threads that do so at once get different ones, and the
    # `except` of one does not catch what the other's client raises.
    client.exceptions  # noqa: B018
    watch(client)
    client.meta.events.register("after-call", check_whole)
    client.meta.events.register("before-parse", check_document)
    return client


def default_session() -> boto3.Session:
    """Return a session with the region of AWS_REGION, as the command has it. boto3 reads AWS_DEFAULT_REGION alone."""
    return boto3.Session(region_name=os.environ.get("AWS_REGION") or None)


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


def s3(session: boto3.Session) -> S3Client:
    client: S3Client = make(session, "s3", _config(connections=16))
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
    return make(session, service)
