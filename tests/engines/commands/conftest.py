"""The command line without a process of its own, as the tests of its modules have it."""

from tests.unit.cli.conftest import told

__all__ = ["told"]
