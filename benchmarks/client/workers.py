"""The compared clients: a worker's, the same with boto3 for all calls, and a bare one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import boto3
import botocore.session
from botocore.config import Config

from local.authority import Authority
from local.checkout import ACCESS_KEY, REGION
from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.aws.lean import LeanClient
from skipscan.scan.plan import WALKS

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass(frozen=True)
class Workers:
    """`lean`: a worker's client. `over_boto3`: the same without the lean client. `bare`: an ordinary boto3 client."""

    lean: "DynamoDBClient"
    over_boto3: "DynamoDBClient"
    bare: "DynamoDBClient"


@contextmanager
def workers(url: str, authority: Authority | None = None) -> Iterator[Workers]:
    """Return clients for 16 concurrent requests, which trust a further authority besides those of botocore."""
    core = botocore.session.Session()
    if authority:
        core.set_config_variable("ca_bundle", authority.ca_file)
    session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION, botocore_session=core)
    inner, over_boto3 = (clients.dynamodb(session, WALKS, url) for _ in range(2))
    bare = session.client("dynamodb", endpoint_url=url, config=Config(max_pool_connections=WALKS))
    notices: list[str] = []
    ca_file = authority.ca_file if authority else None
    lean = LeanClient(inner, SESSION, lambda reason, _: notices.append(reason), ca_file=ca_file)
    try:
        yield Workers(cast("DynamoDBClient", lean), over_boto3, bare)
    finally:
        for client in (inner, over_boto3, bare):
            client.close()
    if notices:
        raise RuntimeError(f"boto3 made the hot calls, so nothing was measured: {notices[0]}")
