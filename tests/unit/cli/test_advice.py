"""What a person whom AWS refuses is told to do."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from botocore.exceptions import (
    ClientError,
    RefreshWithMFAUnsupportedError,
    SSOTokenLoadError,
    TokenRetrievalError,
    UnauthorizedSSOTokenError,
)

from skipscan.aws.faults import scrub
from skipscan.cli.at import At
from tests.unit.cli.command import invoke

SENTENCE = (
    "User: arn:aws:sts::111111111111:assumed-role/reader/me is not authorized to perform: dynamodb:Scan on resource: "
    "arn:aws:dynamodb:us-east-1:111111111111:table/Orders because no identity-based policy allows the "
    "dynamodb:Scan action"
)
CONFIG = """
[default]
region = us-east-1
[profile sso]
sso_session = company
[profile above]
role_arn = arn:aws:iam::111111111111:role/reader
source_profile = sso
[profile old]
sso_start_url = https://example.com/start
[profile circle]
source_profile = back
[profile back]
source_profile = circle
[sso-session company]
sso_start_url = https://example.com/start
sso_region = us-east-1
"""


def refusal(code: str, message: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, "Scan")


@pytest.fixture(autouse=True)
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config").write_text(CONFIG)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.delenv("AWS_PROFILE", raising=False)


def said(
    monkeypatch: pytest.MonkeyPatch, error: Exception, *options: str, command: Sequence[str] = ("plan", "Orders")
) -> str:
    """Return what a command prints when it ends with an error of AWS."""

    def fail(_: At) -> None:
        raise error

    monkeypatch.setattr(At, "session", fail)
    done = invoke(*command, *options)
    assert done.status == 1
    return done.stderr


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_missing_permission_has_aws_s_sentence_and_names_the_policy(
    monkeypatch: pytest.MonkeyPatch, wrapped: bool
) -> None:
    error: Exception = refusal("AccessDeniedException", SENTENCE)
    printed = said(monkeypatch, scrub(error) if wrapped else error)
    assert SENTENCE in printed
    assert "`skipscan policy command-line` prints a policy" in printed
    forbidden = ClientError({"Error": {"Code": "403", "Message": "Forbidden"}}, "HeadBucket")
    printed = said(monkeypatch, forbidden, command=("destroy", "--env", "prod"))
    assert "HeadBucket failed with 403: Forbidden; `skipscan deploy --env prod --permissions` prints" in printed


EXPIRED: list[Exception] = [
    refusal("ExpiredTokenException", "The security token included in the request is expired"),
    scrub(refusal("ExpiredTokenException", "The security token included in the request is expired")),
    UnauthorizedSSOTokenError(),
    TokenRetrievalError(provider="sso", error_msg="Token has expired and refresh failed"),
    # What ends a batch is scrubbed before anybody sees it.
    scrub(UnauthorizedSSOTokenError()),
    scrub(SSOTokenLoadError(error_msg="Token for https://example.com/start does not exist")),
    scrub(TokenRetrievalError(provider="sso", error_msg="Token has expired and refresh failed")),
    scrub(RefreshWithMFAUnsupportedError()),
]


@pytest.mark.parametrize("error", EXPIRED)
@pytest.mark.parametrize(
    ("options", "way"),
    [
        (["--profile", "sso"], "`aws sso login --profile sso`"),
        (["--profile=above"], "`aws sso login --profile sso`"),
        (["--profile", "old"], "`aws sso login --profile old`"),
        (["--profile", "circle"], "get new ones"),
        ([], "get new ones"),
    ],
)
def test_expired_credentials_are_renewed_in_the_way_that_the_profile_has(
    monkeypatch: pytest.MonkeyPatch, error: Exception, options: list[str], way: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["skipscan", "plan", "Orders", *options])
    assert way in said(monkeypatch, error, *options)
