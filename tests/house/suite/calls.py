"""Every call that a test's own process makes by botocore has parameters that AWS accepts, or the test fails.

The engines accept more than AWS, and the product's client of DynamoDB validates nothing. The lean client's calls are
checked, too. Emulated functions are processes of their own: tests/engines/iam/recorder. A test that wants a refusal is
marked `refused_by_aws`.
"""

import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

import pytest
from botocore.client import BaseClient

from tests.engines.iam.recorder.rules import violations

FOUND: set[tuple[str, ...]] = set()
LOCK = Lock()
LEAN = "skipscan.aws.lean.client"


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "refused_by_aws: makes a call that AWS would refuse for its parameters",
        "counts_calls: counts calls of Python, among which the check of parameters would be",
    ):
        config.addinivalue_line("markers", line)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    if any(item.get_closest_marker(mark) for mark in ("refused_by_aws", "counts_calls")):
        return (yield)
    with LOCK:
        FOUND.clear()
    with checked():
        yield
    with LOCK:
        found = sorted(FOUND)
    if found:
        pytest.fail(f"AWS would refuse for its parameters: {found}", pytrace=False)
    return None


@contextmanager
def checked() -> Iterator[None]:
    """Check the calls of every client until the end, whenever it was made."""
    emit: Any = BaseClient._emit_api_params  # type: ignore[attr-defined]

    def emitted(client: Any, api_params: Any, operation_model: Any, context: Any) -> Any:
        # After what boto3's resources make of Python's values.
        parameters = emit(client, api_params, operation_model, context)
        check(client, operation_model.name, parameters)
        return parameters

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BaseClient, "_emit_api_params", emitted)
        if lean := sys.modules.get(LEAN):
            patched.setattr(lean.LeanClient, "_exchange", exchanging(lean.LeanClient._exchange))
        yield


def exchanging(exchange: Callable[..., Any]) -> Callable[..., Any]:
    """Return the lean client's exchange, checked; most of its calls never reach botocore."""

    def exchanged(client: Any, route: Any, call: Any) -> Any:
        check(client._client, call.operation, call.parameters)
        return exchange(client, route, call)

    return exchanged


def check(client: Any, operation: str, parameters: Mapping[str, Any]) -> None:
    found = violations(client.meta.service_model, operation, parameters)
    if found:
        with LOCK:
            FOUND.add((operation, *found))
