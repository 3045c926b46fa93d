"""Every call that a test's own process makes by botocore has parameters that AWS accepts, or the test fails.

The engines accept more than AWS, and the product's client of DynamoDB validates nothing. The lean client's calls are
checked, too. Emulated functions are processes of their own: tests/iam/recorder. A test that wants a refusal is marked
`refused_by_aws`.
"""

import sys
from collections.abc import Generator
from threading import Event, Lock
from typing import Any

import pytest
from botocore.client import BaseClient

from tests.iam.recorder.rules import violations

FOUND: set[tuple[str, ...]] = set()
LOCK = Lock()
UNCHECKED = Event()
LEAN = "skipscan.aws.lean.client"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "refused_by_aws: makes a call that AWS would refuse for its parameters")
    config.addinivalue_line(
        "markers", "unchecked: counts function calls, or gives values that boto3's resources convert"
    )
    call: Any = BaseClient._make_api_call  # type: ignore[attr-defined]
    if hasattr(call, "is_checked"):  # pytest runs within pytest
        return

    def checked(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
        check(client, operation, parameters)
        return call(client, operation, parameters)

    checked.is_checked = True  # type: ignore[attr-defined]
    BaseClient._make_api_call = checked  # type: ignore[attr-defined]


def check(client: Any, operation: str, parameters: dict[str, Any]) -> None:
    if UNCHECKED.is_set():
        return
    found = violations(client.meta.service_model, operation, parameters)
    if found:
        with LOCK:
            FOUND.add((operation, *found))


def check_lean(module: Any) -> None:
    """Check the calls of the lean client as well; most of them never reach botocore."""
    call = module.LeanClient._call
    if hasattr(call, "is_checked"):
        return

    def checked(self: Any, name: str, operation: str, /, **asked: Any) -> Any:
        check(self._client, operation, asked)
        return call(self, name, operation, **asked)

    checked.is_checked = True  # type: ignore[attr-defined]
    module.LeanClient._call = checked


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    if LEAN in sys.modules:
        check_lean(sys.modules[LEAN])
    FOUND.clear()  # what a fixture or another test's thread did
    if item.get_closest_marker("unchecked"):
        UNCHECKED.set()
    try:
        yield
    finally:
        UNCHECKED.clear()
    with LOCK:
        found = sorted(FOUND)
    if found and item.get_closest_marker("refused_by_aws") is None:
        pytest.fail(f"AWS would refuse for its parameters: {found}", pytrace=False)
