"""The definitions of synth on moto's interpreter: our handlers, and the strict fakes of DynamoDB and S3."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from moto import mock_aws

from tests.engines.infra.machines.definitions import Definitions, definitions_in
from tests.engines.infra.machines.interpreter import Function, Interpreter, interpreter
from tests.engines.infra.template import Template
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.handlers.loading import Loaded, loaded
from tests.unit.handlers.conftest import SESSION, compare, dynamodb, listing, s3

__all__ = ["compare", "dynamodb", "listing", "s3"]


@pytest.fixture(scope="session")
def definitions(templates: Mapping[str, Template]) -> Definitions:
    return definitions_in(templates)


@pytest.fixture
def machines(listing: Machine, compare: Loaded) -> Iterator[Interpreter]:
    """The handlers of listings, each behind the name of its state."""
    modules = {"plan": listing.plan, "scan": listing.worker, "finish": listing.finish, "compare": compare}
    modules["report"] = loaded("report", listing.s3)
    with mock_aws():
        client = SESSION.client("stepfunctions")
        listing.plan.stepfunctions = client
        with interpreter(client, _functions(modules)) as made:
            yield made


def _functions(modules: Mapping[str, Any]) -> dict[str, Function]:
    return {
        state: lambda event, module=module: module.handler(event, CONTEXT)  # type: ignore[misc]
        for state, module in modules.items()
    }
