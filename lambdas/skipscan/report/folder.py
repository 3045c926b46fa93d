"""The objects of a run or job, wherever they are stored."""

import json
from dataclasses import dataclass
from typing import Any

from skipscan.loop.results import Results
from skipscan.loop.storage import Storage


@dataclass(frozen=True)
class StoredWork:
    """The objects of a run or job. Several threads may read at once.

    `root`: what their names in the storage begin with. `shows_attempts`: whether the metadata of parts may be read. S3
    gives it only to those who may read the parts, and so the keys.
    """

    storage: Storage
    root: str = ""
    shows_attempts: bool = True

    @classmethod
    def of(cls, results: Results) -> "StoredWork":
        """Return the objects as a function may read them: no part, and so no key."""
        return cls(results.storage, results.layout.root, shows_attempts=False)

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or `None` if there is no such object."""
        return self.storage.get(self.root + name)

    def uri(self, name: str) -> str:
        """Return an object's address for people and other tools."""
        return self.storage.uri(self.root + name)

    def names(self, below: str) -> list[str]:
        """Return the names that begin with `below`."""
        return [name.removeprefix(self.root) for name, _ in self.storage.names(self.root + below)]

    def attempt(self, part: str) -> str | None:
        """Return which attempt wrote a part; `None` if only the part's content was kept, or is not shown."""
        found = self.storage.look(self.root + part) if self.shows_attempts else None
        return found.metadata.get("attempt") if found else None


def stored_document(body: bytes | None) -> Any:
    """Return an object's content as JSON, or `None` if there is no such object."""
    return None if body is None else json.loads(body)
