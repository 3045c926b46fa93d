"""A headless Chromium, spoken to over a pipe in the DevTools protocol: no port, no driver, no network."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# Chromium reads commands from descriptor 3 and writes to 4.
PIPES_THEN_EXEC = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(pipe), fcntl.F_DUPFD, 10) for pipe in sys.argv[1:3])
os.dup2(reads, 3), os.dup2(writes, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Tab:
    """A page in the browser. `events`: all events of the browser, in order."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = os.fdopen(commands, "wb", buffering=0)
        self._answers = os.fdopen(answers, "rb")
        self._number = 0
        self._session: str | None = None
        self._read = b""
        self.events: list[Mapping[str, Any]] = []

    def close(self) -> None:
        self._commands.close()
        self._answers.close()

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a command of the protocol."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": params}
        if self._session:
            asked["sessionId"] = self._session
        self._commands.write(json.dumps(asked).encode() + b"\0")
        while (reply := self._next()).get("id") != self._number:
            self.events.append(reply)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        return reply["result"]

    def attach(self) -> None:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Log", "Runtime", "Network", "Accessibility"):
            self.ask(f"{domain}.enable")

    def show(self, path: Path, *, width: int, dark: bool, height: int = 900) -> None:
        """Load a file in a window of that width, and wait until it is drawn."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.ask("Emulation.setEmulatedMedia", features=scheme)
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.events.clear()
        self.ask("Page.navigate", url=path.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """Return what a JavaScript expression gives."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and release a key. `code`: its number on Windows. `text`: what it types."""
        for kind in ("keyDown", "keyUp"):
            typed = {"text": text} if text and kind == "keyDown" else {}
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **typed)

    def _next(self) -> Mapping[str, Any]:
        while b"\0" not in self._read:
            chunk = os.read(self._answers.fileno(), 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._read += chunk
        message, _, self._read = self._read.partition(b"\0")
        reply: Mapping[str, Any] = json.loads(message)
        return reply


@contextmanager
def browser(chromium: str) -> Iterator[Tab]:
    """Return a tab of a browser that ends with the block, and leaves nothing behind."""
    to_browser, commands = os.pipe()
    answers, from_browser = os.pipe()
    with TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as home:
        program = [chromium, *FLAGS, f"--user-data-dir={home}", "about:blank"]
        process = subprocess.Popen(
            [sys.executable, "-c", PIPES_THEN_EXEC, str(to_browser), str(from_browser), *program],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home},
        )
        os.close(to_browser)
        os.close(from_browser)
        tab = Tab(commands, answers)
        try:
            tab.attach()
            yield tab
        finally:
            tab.close()  # Chromium ends when its pipe does
            try:
                process.wait(300)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
