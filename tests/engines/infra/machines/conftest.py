"""The definitions of synth on moto's interpreter: our handlers, and the strict fakes of DynamoDB and S3."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from moto import mock_aws

from tests.engines.infra.machines.definitions import Definitions, definitions_in
from tests.engines.infra.machines.interpreter import Function, Interpreter, interpreter
from tests.engines.infra.machines.localstack import LocalStack, Process, localstack
from tests.engines.infra.template import Template
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.handlers.loading import loaded
from tests.unit.handlers.conftest import SESSION, compare, dynamodb, listing, s3

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["compare", "dynamodb", "listing", "s3"]


Interpreted = Callable[[Any, Mapping[str, Function]], AbstractContextManager[Interpreter]]


@pytest.fixture(scope="session")
def definitions(templates: Mapping[str, Template]) -> Definitions:
    return definitions_in(templates)


@pytest.fixture(scope="session")
def localstack_process() -> Iterator[Process]:
    with localstack() as process:
        yield process


@pytest.fixture(params=["moto", pytest.param("localstack", marks=pytest.mark.long)])
def interpreted(request: pytest.FixtureRequest) -> Interpreted:
    """What runs definitions: every scenario has to end in the same way on both interpreters."""
    if request.param == "moto":
        return interpreter
    process: Process = request.getfixturevalue("localstack_process")
    return lambda client, functions: nullcontext(LocalStack(process, client, functions))


@pytest.fixture
def machines(interpreted: Interpreted, listing: Machine, compare: ModuleType) -> Iterator[Interpreter]:
    """The handlers of listings, each behind the name of its state."""
    modules = {"plan": listing.plan, "scan": listing.worker, "finish": listing.finish, "compare": compare}
    modules["report"] = loaded("report", listing.s3)
    with mock_aws():
        client = SESSION.client("stepfunctions")
        listing.plan.stepfunctions = client  # type: ignore[attr-defined]
        with interpreted(client, _functions(modules)) as made:
            yield made


def _functions(modules: Mapping[str, Any]) -> dict[str, Function]:
    return {
        state: lambda event, module=module: module.handler(event, CONTEXT)  # type: ignore[misc]
        for state, module in modules.items()
    }
