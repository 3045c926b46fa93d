"""The engines, started once for the tests that use them and ended with the session."""

from __future__ import annotations

import os
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


@pytest.fixture(scope="session")
def dynalite() -> Iterator[str]:
    """The endpoint URL of a DynamoDB, shared by the session: name your tables apart."""
    with local_dynalite() as url:
        yield url


@pytest.fixture(scope="session")
def shared_dynamodb(dynalite: str) -> DynamoDBClient:
    """A client for the shared DynamoDB."""
    return dynamodb_client(dynalite)
