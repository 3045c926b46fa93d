"""The processes in which MiniStack runs the deployed functions."""

import os
import re
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock
from urllib.parse import urlsplit

from tests.engines.e2e.proxy import Call, ProxyResponse


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


class Killer:
    """Kills every process of a function during a call: before the engine receives it, or after it acted.

    `moments`: function, regular expression of the call's name, and `before` or `after`; each one comes once.
    """

    def __init__(self, endpoint: str, moments: Iterable[tuple[str, str, str]]) -> None:
        self._endpoint = endpoint
        self._moments = list(moments)
        self._lock = Lock()
        self.hits: list[tuple[str, str, str]] = []

    def __call__(self, call: Call) -> ProxyResponse | None:
        with self._lock:
            moment = next((moment for moment in self._moments if re.match(moment[1], call.name)), None)
            if moment is None:
                return call.forward()
            self._moments.remove(moment)
        if moment[2] == "after":
            call.forward()
        kill(self._endpoint, moment[0])
        assert call.is_abandoned(), f"the process that made {call.name} was not killed"
        self.hits.append(moment)
        return None
