"""The engines as one parametrised fixture; a test must fail on an engine with that known deviation."""

import os
from collections.abc import Iterator

import pytest

from local.embedded import dynamodb_client
from local.ministack import ministack
from tests.engines.conformance import dynamodb_local
from tests.engines.conformance.aws import VARIABLE, aws, place
from tests.engines.conformance.deviations import deviating, deviation
from tests.engines.conformance.engine import Engine, FakeEngine

PLACE = place(os.environ)
ENGINES = ("fake", "dynalite", "dynamodb-local", "ministack", *(("aws",) if PLACE else ()))
QUICK = {"fake", "dynalite"}
"""Those that most tests rest on: `make test` compares them, `make test-all` the others too."""


@pytest.fixture(scope="session")
def dynalite_engine(dynalite: str) -> Engine:
    return Engine(dynamodb_client(dynalite))


@pytest.fixture(scope="session")
def dynamodb_local_engine() -> Iterator[Engine]:
    if reason := dynamodb_local.missing():
        pytest.fail(reason)
    with dynamodb_local.dynamodb_local() as url:
        yield Engine(dynamodb_client(url))


@pytest.fixture(scope="session")
def ministack_engine(dynalite: str) -> Iterator[Engine]:
    with ministack(dynamodb=dynalite) as url:
        yield Engine(dynamodb_client(url))


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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all cases of a deviation in a test but the first: they would only say that it is still there."""
    first: dict[tuple[str, str, str], str] = {}
    left_out = set()
    for item in sorted(items, key=lambda item: item.nodeid):
        cases = getattr(item, "callspec", None)
        engine = str(cases.params.get("engine")) if cases else ""
        key = deviating(engine, item.name) if engine in ENGINES else None
        if key and first.setdefault((engine, key, item.name.partition("[")[0]), item.nodeid) != item.nodeid:
            left_out.add(item.nodeid)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]
