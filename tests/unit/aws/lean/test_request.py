"""Requests are signed as botocore signs them, with the credentials of the moment, and go where botocore sends them."""

import datetime
from typing import Any
from urllib.parse import urlsplit

import boto3
import botocore.session
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSPreparedRequest, AWSRequest
from botocore.credentials import Credentials, ReadOnlyCredentials, RefreshableCredentials
from hypothesis import given
from hypothesis import strategies as st

from local.checkout import REGION
from skipscan.aws import clients
from skipscan.aws.lean.request import Route, body
from tests.unit.aws.lean.conftest import CALLS, Clients, call
from tests.unit.aws.lean.wire import Asked, Wire

ACCOUNT = "123456789012"
VISIBLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=60)


def prepared(session: boto3.Session, table: str = "T", **options: Any) -> AWSPreparedRequest:
    """Return the request of a Scan as boto3 would send it."""
    seen: list[AWSPreparedRequest] = []

    def keep(request: AWSPreparedRequest, **_event: object) -> None:
        seen.append(request)
        raise ConnectionAbortedError

    client = clients.dynamodb(session, 1, **options)
    client.meta.events.register("before-send.dynamodb", keep)
    with pytest.raises(ConnectionAbortedError):
        client.scan(TableName=table)
    client.close()
    return seen[0]


def is_signed(asked: Asked, credentials: Any, url: str) -> bool:
    """Tell whether a request has the signature that botocore would give it."""
    authorization = asked.headers["authorization"]
    _, region, service, _ = authorization.split(",")[0].split("/", 1)[1].split("/")
    names = authorization.split("SignedHeaders=")[1].split(",")[0].split(";")
    headers = {name: asked.headers[name] for name in names if name != "host"}
    request = AWSRequest("POST", url, headers=headers, data=asked.body)
    request.context["timestamp"] = asked.headers["x-amz-date"]
    auth = SigV4Auth(credentials, service, region)
    signature = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    token = asked.headers.get("x-amz-security-token")
    return authorization.endswith(f"Signature={signature}") and token == credentials.token


def read(request: bytes) -> Asked:
    head, _, sent = request.partition(b"\r\n\r\n")
    pairs = [line.partition(":") for line in head.decode().split("\r\n")[1:]]
    return Asked(1, {name.lower(): value.strip() for name, _, value in pairs}, sent)


PLAIN = prepared(boto3.Session("test", "test", region_name=REGION))


@given(
    access_key=VISIBLE.filter(lambda text: "/" not in text and "," not in text),
    secret_key=VISIBLE,
    token=st.none() | VISIBLE,
    moment=st.datetimes(datetime.datetime(2000, 1, 1), datetime.datetime(2099, 1, 1)),
    asked=st.dictionaries(st.text(max_size=20), st.text(max_size=100) | st.binary(max_size=100), max_size=3),
)
def test_any_request_is_signed_as_by_botocore(
    access_key: str, secret_key: str, token: str | None, moment: datetime.datetime, asked: dict[str, Any]
) -> None:
    credentials = ReadOnlyCredentials(access_key, secret_key, token, None)
    date = f"{moment:%Y%m%dT%H%M%SZ}".zfill(16)
    request = read(Route(PLAIN).request(body(asked), credentials, date))
    assert request.headers["content-length"] == str(len(body(asked)))
    assert is_signed(request, Credentials(access_key, secret_key, token), PLAIN.url)


@pytest.mark.parametrize(
    ("variables", "table", "host"),
    [
        ({}, "T", f"dynamodb.{REGION}.amazonaws.com"),
        ({"AWS_ACCOUNT_ID": ACCOUNT}, "T", f"{ACCOUNT}.ddb.{REGION}.amazonaws.com"),
        ({}, f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/T", f"{ACCOUNT}.ddb.{REGION}.amazonaws.com"),
        (
            {"AWS_ACCOUNT_ID": ACCOUNT, "AWS_ACCOUNT_ID_ENDPOINT_MODE": "disabled"},
            "T",
            f"dynamodb.{REGION}.amazonaws.com",
        ),
        ({"AWS_USE_FIPS_ENDPOINT": "true"}, "T", f"dynamodb-fips.{REGION}.amazonaws.com"),
        ({"AWS_USE_DUALSTACK_ENDPOINT": "true"}, "T", f"dynamodb.{REGION}.api.aws"),
        ({"AWS_ENDPOINT_URL_DYNAMODB": "https://vpce-1.dynamodb.example"}, "T", "vpce-1.dynamodb.example"),
        ({"AWS_ENDPOINT_URL_DYNAMODB": "http://localhost:8000/"}, "T", "localhost:8000"),
        ({"AWS_DEFAULT_REGION": "cn-north-1"}, "T", "dynamodb.cn-north-1.amazonaws.com.cn"),
    ],
)
def test_requests_go_where_botocore_sends_them(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], table: str, host: str
) -> None:
    settings = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": REGION}
    for name, value in (settings | variables).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_REGION", raising=False)
    session = boto3.Session()
    route = Route(prepared(session, table))
    credentials: Any = session.get_credentials()
    assert route.is_signed_by(credentials.get_frozen_credentials())
    request = read(route.request(b"{}", credentials.get_frozen_credentials(), "20260101T000000Z"))
    assert request.headers["host"] == host
    assert urlsplit(route.url).netloc == host
    assert is_signed(request, credentials, route.url)


def test_credentials_that_expire_are_renewed_in_the_middle(make: Clients, server: Wire) -> None:
    renewed: list[dict[str, str]] = []

    def renew() -> dict[str, str]:
        expiry = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)).isoformat()
        number = len(renewed)
        made = {"access_key": f"key{number}", "secret_key": f"secret{number}", "token": f"token{number}"}
        renewed.append(made)
        return {**made, "expiry_time": expiry}

    core = botocore.session.Session()
    credentials = RefreshableCredentials.create_from_metadata(renew(), renew, "test")
    core._credentials = credentials  # type: ignore[attr-defined]
    client = make.proven(server, session=boto3.Session(region_name=REGION, botocore_session=core))
    for number in (1, 2):
        call(client, "scan")
        credentials._expiry_time = datetime.datetime.now(datetime.UTC)  # type: ignore[attr-defined]
        for name in CALLS:
            server.asked.clear()
            call(client, name)
            [asked] = server.asked
            assert f"Credential=key{number}/" in asked.headers["authorization"]
            assert is_signed(asked, Credentials(f"key{number}", f"secret{number}", f"token{number}"), server.url)
    assert len(renewed) == 3
