"""The figures of a listing that a terminal shows while the listing runs."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from skipscan.inputs.quantities import duration
from skipscan.scan.progress import ScanCounts


class Counting:
    """Redraws one line of figures four times a second while entered, if enabled.

    `nouns`: what is listed. `counts`: returns the current figures; `None` before any work.
    """

    def __init__(self, stream: TextIO, nouns: str, *, moving: bool) -> None:
        self.counts: Callable[[], ScanCounts] | None = None
        self._nouns = nouns
        self._begun = time.monotonic()
        self._console = Console(file=stream)
        self._live = Live(get_renderable=self._line, console=self._console, transient=True) if moving else None

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def total(self) -> None:
        """Print the figures of a listing that has ended, if it did anything and a terminal shows them."""
        if self.counts and self._console.is_terminal:
            self._console.print(self._line())

    def _line(self) -> Text:
        counts = self.counts() if self.counts else ScanCounts()
        seconds = time.monotonic() - self._begun
        line = Text(f"{counts.keys:,} {self._nouns}", style="bold")
        rest = f"  {counts.requests:,} requests  {counts.read_units:,.1f} read units  {duration(seconds)}"
        return line.append(rest, style="not bold dim")
