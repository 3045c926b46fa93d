"""Runs whose reports a browser shows."""

from tests.unit.report.conftest import stopped, throttled

__all__ = ["stopped", "throttled"]
