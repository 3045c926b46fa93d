"""Results in a folder, for the schedules: the same calls fail, and the files are read like the objects on S3."""

import atexit
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.folder.storage import Folder
from skipscan.loop.storage import Stored
from tests.fakes.s3 import Put, StoredObject
from tests.simulation.world.client import Callee, put_kind
from tests.simulation.world.fault import Call, Kind

_earlier: list[str] = []


@atexit.register
def _clear() -> None:
    while _earlier:
        shutil.rmtree(_earlier.pop(), ignore_errors=True)


class Objects(Mapping[str, StoredObject]):
    """The files in a folder, read again at each access."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def __getitem__(self, name: str) -> StoredObject:
        body, stored = self._folder.get(name), self._folder.look(name)
        if body is None or stored is None:
            raise KeyError(name)
        return StoredObject(body, "", stored.metadata, ())

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._folder.names(""))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class FolderStore:
    """A folder where the simulator expects a bucket. No put is late: it fails with no effect, or with all of it."""

    def __init__(self) -> None:
        _clear()
        memory = Path("/dev/shm")  # noqa: S108 - in memory: schedules put thousands of files
        _earlier.append(mkdtemp(dir=memory if memory.is_dir() else None))
        self.folder = Folder(Path(_earlier[-1]))
        self.folder.clear()
        self.objects: Mapping[str, StoredObject] = Objects(self.folder)
        self.journal: list[str] = []
        self.under_way: list[Put] = []
        self.exceptions: Any = None

    def receive(self, asked: Mapping[str, Any], refusals: int = 0) -> None:
        """Lose a put."""

    def land(self, put: Put) -> None:
        """Do nothing: no put is late."""


class WatchedFolder:
    """The product's storage, whose every call happens as the schedule wants it."""

    def __init__(self, world: Callee, store: FolderStore) -> None:
        self._world, self._store, self._folder = world, store, store.folder

    def uri(self, name: str) -> str:
        return self._folder.uri(name)

    def get(self, name: str) -> bytes | None:
        return self._call("GetObject", Kind.READ, lambda: self._folder.get(name))  # type: ignore[no-any-return]

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        return self._call("GetObject", Kind.READ, lambda: self._folder.get_range(name, start, end))  # type: ignore[no-any-return]

    def look(self, name: str) -> Stored | None:
        return self._call("HeadObject", Kind.READ, lambda: self._folder.look(name))  # type: ignore[no-any-return]

    def put(self, name: str, body: bytes) -> None:
        def put() -> None:
            self._folder.put(name, body)
            self._store.journal.append(name)

        self._call("PutObject", Kind.DOCUMENT, put)

    def put_once(
        self, name: str, body: bytes, metadata: Mapping[str, str] | None = None, *, expires: bool = False
    ) -> bool:
        def put() -> bool:
            is_put = self._folder.put_once(name, body, metadata, expires=expires)
            if is_put:
                self._store.journal.append(name)
            return is_put

        return self._call("PutObject", put_kind(name), put)  # type: ignore[no-any-return]

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        return self._call("ListObjectsV2", Kind.READ, lambda: self._folder.names(prefix))  # type: ignore[no-any-return]

    def folders(self, prefix: str) -> Iterator[str]:
        return self._call("ListObjectsV2", Kind.READ, lambda: self._folder.folders(prefix))  # type: ignore[no-any-return]

    def _call(self, operation: str, kind: Kind, perform: Callable[[], Any]) -> Any:
        try:
            return self._world.call(Call(operation, kind, {}, perform))
        except (ClientError, BotoCoreError):
            raise OSError("the disk failed") from None
