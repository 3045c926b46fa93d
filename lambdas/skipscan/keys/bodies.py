"""The keys of a finished run, from where they are stored, part by part."""

from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from skipscan.errors import IncompleteRunError
from skipscan.loop.part import checksum
from skipscan.loop.storage import Storage

AHEAD = 3
"""Parts that are fetched while one is used; each is held in memory, and has 32 MB at most unless limits were raised."""


def bodies(storage: Storage, manifest: Mapping[str, Any]) -> Iterator[bytes]:
    """Return the parts in the manifest's order, each whole and as the manifest's checksum says.

    Raises `IncompleteRunError` for a part that is gone or is another.
    """
    waiting: deque[Future[bytes]] = deque()
    parts = iter(manifest["parts"])
    with ThreadPoolExecutor(AHEAD) as pool:
        try:
            while True:
                while len(waiting) < AHEAD and (part := next(parts, None)) is not None:
                    waiting.append(pool.submit(_body, storage, part))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _body(storage: Storage, part: Mapping[str, Any]) -> bytes:
    body = storage.get(part["name"]) or b""
    if checksum(body) != part["sha256"]:
        raise IncompleteRunError(
            f"{part['name']} is not what the manifest says, by its checksum: the run's result was changed. List the "
            "table anew"
        )
    return body
