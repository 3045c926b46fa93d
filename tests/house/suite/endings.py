"""The processes of pytest-xdist have time to end: their servers and folders are removed then, also after Ctrl-C.

Without this, execnet interrupts an ending process after five seconds and kills it ten seconds later. And then they end
at once: to free half a gigabyte of objects one by one takes seconds.
"""

import atexit
import os
import signal
import sys
from types import FrameType

import pytest
from execnet.gateway_base import WorkerGateway
from xdist.workermanage import NodeManager  # type: ignore[import-untyped]

SECONDS = 300
"""One that has not ended by then is killed. The default is ten, which are too few on a busy machine."""
ENDS_BY_ITSELF_SECONDS = 5
"""A process that is told to end, and was not interrupted, is interrupted after these seconds."""


class Interrupt:
    """Ctrl-C interrupts a test once: a second one would cut short what the first one has removed."""

    heard = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if not self.heard:
            self.heard = True
            raise KeyboardInterrupt


INTERRUPT = Interrupt()


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        atexit.register(leave)  # the first to be registered is the last to be called
    if not hasattr(NodeManager, "EXIT_TIMEOUT") or not hasattr(WorkerGateway, "_terminate_execution"):
        raise RuntimeError("this pytest-xdist ends its processes in another way: look at tests/house/suite/endings.py")
    NodeManager.EXIT_TIMEOUT = SECONDS
    WorkerGateway._terminate_execution = end  # type: ignore[assignment,method-assign]
    # A shell has its background jobs ignore Ctrl-C, and so would every command that a test starts and interrupts.
    signal.signal(signal.SIGINT, INTERRUPT)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport() -> None:
    INTERRUPT.heard = False  # the test has dealt with its own interrupt


def end(gateway: WorkerGateway) -> None:
    """Let a process of pytest-xdist end: its only thread of tests removes what its fixtures made."""
    gateway._execpool.trigger_shutdown()
    if not gateway._execpool.waitall(ENDS_BY_ITSELF_SECONDS):
        if os.name == "posix":
            os.kill(os.getpid(), signal.SIGINT)
        else:  # there os.kill ends the process at once
            signal.raise_signal(signal.SIGINT)
        if not gateway._execpool.waitall(SECONDS):
            os._exit(1)


def leave() -> None:
    """End a process that has removed all that it made, and leave its memory to the system."""
    sys.stderr.flush()
    os._exit(0)
