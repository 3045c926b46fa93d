"""The processes of pytest-xdist have time to end: jsii stops Node then, and removes what it has unpacked."""

from xdist.workermanage import NodeManager  # type: ignore[import-untyped]

SECONDS = 300
"""One that has not ended by then is killed. The default is ten, which are too few on a busy machine."""


def pytest_configure() -> None:
    if not hasattr(NodeManager, "EXIT_TIMEOUT"):
        raise RuntimeError("this pytest-xdist ends its processes in another way: look at tests/suite/endings.py")
    NodeManager.EXIT_TIMEOUT = SECONDS
