"""The engines as one parametrised fixture; a test must fail on an engine with that known deviation."""

import os
from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from local.checkout import REGION
from local.embedded import dynamodb_client
from local.ministack import ministack
from tests.engines.conformance import dynamodb_local
from tests.engines.conformance.aws import VARIABLE, aws, place
from tests.engines.conformance.deviations import deviation
from tests.engines.conformance.engine import BotoEngine, Engine, FakeEngine

PLACE = place(os.environ)
ENGINES = ("fake", "dynalite", "dynamodb-local", "ministack", "moto", *(("aws",) if PLACE else ()))
QUICK = {"fake", "dynalite"}
"""Those that most tests rest on: `make test` compares them, `make test-all` the others too."""


@pytest.fixture(scope="session")
def dynalite_engine(dynalite: str) -> Engine:
    return BotoEngine(dynamodb_client(dynalite))


@pytest.fixture(scope="session")
def dynamodb_local_engine() -> Iterator[Engine]:
    if reason := dynamodb_local.missing():
        pytest.fail(reason)
    with dynamodb_local.dynamodb_local() as url:
        yield BotoEngine(dynamodb_client(url))


@pytest.fixture(scope="session")
def ministack_engine(dynalite: str) -> Iterator[Engine]:
    with ministack(dynamodb=dynalite) as url:
        yield BotoEngine(dynamodb_client(url))


@pytest.fixture(scope="package")
def moto_engine() -> Iterator[Engine]:
    with mock_aws():
        # moto answers only for sessions made after its import.
        yield BotoEngine(boto3.Session().client("dynamodb", REGION))


@pytest.fixture(scope="session")
def aws_engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    terminal = request.config.pluginmanager.getplugin("terminalreporter")
    if PLACE is None or terminal is None:
        raise pytest.UsageError(f"{VARIABLE} needs a process that can say what it will make: add -n 0")
    with aws(PLACE, lambda line: terminal.write_line(f"\n{line}")) as engine:
        yield engine


@pytest.fixture
def fake_engine() -> Engine:
    return FakeEngine()


def marks(engine: str) -> list[pytest.MarkDecorator]:
    """Return the marks of an engine's tests: they run in one process, so that it is started once."""
    alone = pytest.mark.xdist_group(engine)
    return [alone] if engine in QUICK or engine == "aws" else [alone, pytest.mark.long]


@pytest.fixture(params=[pytest.param(name, marks=marks(name)) for name in ENGINES])
def engine(request: pytest.FixtureRequest) -> Engine:
    """One engine after the other; a known deviation is a strict xfail, so that a cured one is noticed."""
    name = str(request.param)
    if reason := deviation(name, request.node.name):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    engine: Engine = request.getfixturevalue(f"{name.replace('-', '_')}_engine")
    return engine
