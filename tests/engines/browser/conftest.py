"""Runs whose reports a browser shows."""

from tests.unit.report.conftest import crowded, stopped, throttled

__all__ = ["crowded", "stopped", "throttled"]
