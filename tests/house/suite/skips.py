"""A skipped test fails, unless the reason is listed here: a test that never runs tests nothing."""

import os
from collections.abc import Generator

import botocore
import pytest

from tests.house.suite.kinds import IS_POSIX, NO_POSIX

HAS_OLD_BOTOCORE = tuple(int(part) for part in botocore.__version__.split(".")[:2]) < (1, 43)
OLD_BOTOCORE = "an older botocore raises an error for it"

NO_BROWSER = "chromium is not installed: .ci/chromium installs it where it may"

EXPECTED = {
    **({} if os.environ.get("CI") == "true" else {NO_BROWSER: "no registry of packages has it"}),
    **({OLD_BOTOCORE: "`make test-oldest` has one"} if HAS_OLD_BOTOCORE else {}),
    **({} if IS_POSIX else {NO_POSIX: "Windows has nothing to test there"}),
}
"""Reasons to skip, and why the test cannot see to it that it runs. A service that builds changes (CI=true) has all."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""
        if reason not in EXPECTED:
            report.outcome = "failed"
            report.longrepr = f"skipped, and tests/house/suite/skips.py does not expect it: {reason}"
    return report
