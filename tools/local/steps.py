"""Progress of a long command: one line for each step, and a spinner for the current one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console


class Steps:
    """Lines on a console; without a terminal, only the finished steps."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextmanager
    def step(self, doing: str) -> Iterator[Callable[[str], None]]:
        """Show the block's step with its details; the last detail stays when the step is done."""
        start = time.monotonic()
        line = doing

        def emit(detail: str) -> None:
            nonlocal line
            line = f"{doing}: {detail}"
            status.update(line)

        with self._console.status(line, spinner_style="dim") as status:
            try:
                yield emit
            except BaseException:
                self._print("[red]✗[/]", line, start)
                raise
        self._print("[green]✓[/]", line, start)

    def _print(self, mark: str, line: str, start: float) -> None:
        self._console.print(f"{mark} {line} [dim]({time.monotonic() - start:.1f} s)[/]", soft_wrap=True)
