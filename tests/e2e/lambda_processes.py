"""The processes in which MiniStack runs the deployed functions."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from urllib.parse import urlsplit


def kill(endpoint: str, function: str) -> int:
    """Send SIGKILL to every process of a function in the account at `endpoint`; return how many there were."""
    mark = f"/ministack-{urlsplit(endpoint).port}-"
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,args="], capture_output=True, text=True, check=True)
    killed = 0
    for line in listed.stdout.splitlines():
        pid, _, command = line.strip().partition(" ")
        if mark in command and f"/ministack-lambda-{function}-" in command:
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
                killed += 1
    return killed
