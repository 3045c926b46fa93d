"""The lean client over TLS sends requests only to servers whose certificate it trusts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import SSLError

from local.authority import Authority, authority
from local.checkout import REGION
from local.embedded import SESSION
from skipscan.aws import lean
from skipscan.aws.faults import fault
from skipscan.pace.pace import Fault
from tests.unit.aws.lean.conftest import CALLS, READS, Clients, call
from tests.unit.aws.lean.test_trial import makers
from tests.unit.aws.lean.wire import VALUE, Wire, wire


@pytest.fixture(scope="module")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return authority(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def secure(trusted: Authority) -> Iterator[Wire]:
    with wire(trusted.context) as started:
        yield started


def test_all_calls_are_made_over_tls(make: Clients, secure: Wire, trusted: Authority) -> None:
    client = make.proven(secure, verify=trusted.ca_file, ca_file=trusted.ca_file)
    for name in CALLS:
        call(client, name)
    assert makers(secure) == ["lean"] * len(CALLS)
    assert len({asked.connection for asked in secure.asked}) == 1
    assert call(client, "scan")["Items"][0]["k"] == {"S": VALUE}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_the_product_s_client_sends_nothing_to_a_server_with_an_untrusted_certificate(
    make: Clients, secure: Wire, name: str
) -> None:
    client: Any = lean.lean_dynamodb(SESSION, 4, secure.url, notify=make.notify)
    for _ in range(4):
        with pytest.raises(SSLError) as caught:
            call(client, name)
        assert fault(caught.value) is Fault.PASSING
    client.close()
    assert secure.asked == []


@pytest.mark.parametrize("name", CALLS)
def test_a_server_that_only_boto3_trusts_gets_requests_of_boto3_alone(
    make: Clients, secure: Wire, trusted: Authority, name: str
) -> None:
    client = make.lean(secure.url, verify=trusted.ca_file)
    client._trial.needs_read = name in READS
    for _ in range(4):
        call(client, name)
    assert set(makers(secure)) == {"boto3"}
    assert make.notices == ["SSLError, but boto3 got an answer"]


def test_a_certificate_must_be_for_the_host_that_is_called(make: Clients, tmp_path: Path) -> None:
    elsewhere = authority(tmp_path, "elsewhere.example")
    with wire(elsewhere.context) as server:
        client = make.lean(server.url, verify=elsewhere.ca_file, ca_file=elsewhere.ca_file)
        client._trial.needs_read = False
        with pytest.raises(SSLError):
            call(client, "put_item")
        assert server.asked == []


@pytest.mark.parametrize("name", ["AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"])
def test_boto3_makes_all_calls_where_an_authority_is_configured(
    make: Clients, secure: Wire, trusted: Authority, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, trusted.ca_file)
    configured(make, secure, boto3.Session("test", "test", region_name=REGION))


def test_boto3_makes_all_calls_where_the_profile_has_an_authority(
    make: Clients, secure: Wire, trusted: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / "config"
    config.write_text(f"[default]\nca_bundle = {trusted.ca_file}\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    configured(make, secure, boto3.Session("test", "test", region_name=REGION))


def configured(make: Clients, secure: Wire, session: boto3.Session) -> None:
    client: Any = lean.lean_dynamodb(session, 4, secure.url, notify=make.notify)
    for name in CALLS:
        call(client, name)
    client.close()
    assert makers(secure) == ["boto3"] * len(CALLS)
    assert make.notices == ["certificates are configured"]
