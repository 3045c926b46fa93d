"""The engines, started once for the tests that use them and ended with the session."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from local.dynalite import dynalite as local_dynalite
from local.embedded import dynamodb_client
from tests.house.suite import PLUGINS
from tests.house.suite.examples import PROPERTY_EXAMPLES

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

pytest_plugins = ["pytester", *PLUGINS]

settings.register_profile("any machine", deadline=None, max_examples=PROPERTY_EXAMPLES)  # a slow machine is no defect
settings.load_profile("any machine")

# The CDK would validate each template that it synthesises, which takes most of the time.
# tests/engines/infra/test_rules.py enables that for one test.
os.environ["CDK_VALIDATION"] = "false"


# A shell has its background jobs ignore Ctrl-C, and so would every command that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

IGNORED = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
"""Windows has no SIGHUP."""


@pytest.fixture(scope="session")
def dynalite() -> Iterator[str]:
    """The endpoint URL of a DynamoDB, shared by the session: name your tables apart."""
    with local_dynalite() as url:
        yield url


@pytest.fixture
def signals_end() -> Iterator[None]:
    """Signals that end a program do so here and in what a test starts, although nohup or a shell had them ignored."""
    before = {each: signal.signal(each, signal.SIG_DFL) for each in IGNORED if signal.getsignal(each) is signal.SIG_IGN}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.fixture(scope="session")
def shared_dynamodb(dynalite: str) -> DynamoDBClient:
    """A client for the shared DynamoDB."""
    return dynamodb_client(dynalite)
