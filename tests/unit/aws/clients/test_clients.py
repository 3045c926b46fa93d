"""What every client has from the start."""

import boto3
import pytest

from local.checkout import REGION
from skipscan.aws import clients


def test_threads_share_the_classes_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """boto3 would make them when the first thread needs one, and once more for a thread that needs one meanwhile."""
    client = clients.s3(boto3.Session("key", "secret", region_name=REGION))

    def again(*_: object) -> None:
        pytest.fail("made after the client")

    monkeypatch.setattr("botocore.errorfactory.ClientExceptionsFactory.create_client_exceptions", again)
    assert issubclass(client.exceptions.NoSuchKey, client.exceptions.ClientError)
