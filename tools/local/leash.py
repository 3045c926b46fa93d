"""A program that cannot outlive the process that started it, even if that process is killed.

`leashed` starts this file as a small guardian process and keeps a pipe to it. The guardian runs the program in a
process group of its own and ends that whole group when the pipe closes: because the caller left the block, was
interrupted, crashed or got SIGKILL. (The kernel's own parent-death signal is Linux only and spares grandchildren.)
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

GRACE_SECONDS = 3.0  # between SIGTERM and SIGKILL


@contextmanager
def leashed(
    command: Sequence[str], *, environ: Mapping[str, str], folder: Path, output: IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `command`; on leaving the block, end it and all its descendants in its group.

    Wait on the yielded process for the command's own exit status (128 + n when signal n ended it).
    """
    guardian = [sys.executable, "-I", "-S", __file__, *command]
    with subprocess.Popen(
        guardian,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=dict(environ),
        start_new_session=True,  # Ctrl-C in the terminal is for the caller, who then closes everything in its own order
    ) as process:
        try:
            yield process
        finally:
            process.communicate()  # closes the pipe and waits; on Ctrl-C, `Popen` itself waits for a moment only


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS answers EPERM for a group of zombies
        os.killpg(group, number)


def _end_when_let_go(group: int) -> None:
    os.read(0, 1)  # nothing is ever written: this returns when the last holder of the other end has closed it
    _signal_group(group, signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    _signal_group(group, signal.SIGKILL)


def main(command: Sequence[str]) -> int:
    """Return the exit status of `command`, run until it ends or standard input does."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: sys.exit(128 + number))
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0)
    threading.Thread(target=_end_when_let_go, args=(child.pid,), daemon=True).start()
    try:
        status = child.wait()
    finally:
        _signal_group(child.pid, signal.SIGKILL)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
