"""A DynamoDB that can be stopped and started again, with its data in a folder and always at the same port."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from local.checkout import environ
from local.dynalite import dynalite
from local.server import free_port


class Engine:
    """Runs from `start` to `stop`, any number of times."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._running = ExitStack()
        self.url = ""

    def start(self) -> None:
        self.url = self._running.enter_context(dynalite(folder=self._folder, port=self._port))

    def stop(self) -> None:
        self._running.close()


@contextmanager
def engine() -> Iterator[Engine]:
    """A running engine; it and its data are gone after the block."""
    with TemporaryDirectory(dir=environ()["TMPDIR"], prefix="dynalite-") as folder:
        started = Engine(Path(folder))
        started.start()
        try:
            yield started
        finally:
            started.stop()
