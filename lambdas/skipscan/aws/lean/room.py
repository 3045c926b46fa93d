"""The memory of answers that are received, or wait to be read."""

import time
from threading import Condition

ROOM_BYTES = 1 << 26
"""The bodies that a client holds at once, in bytes: as many as the longest answer has, so each answer fits alone.

128 walks of a worker may wait for one that parses its page. 64 MB are at least twenty full pages of keys.
"""


class AnswerRoom:
    """The bytes for bodies, shared by a client's connections. A connection leaves the rest of an answer to the network.

    The longest head start of short answers costs nothing: a body that came with its head is not counted.
    """

    def __init__(self, count: int = ROOM_BYTES) -> None:
        self._left = count
        self._freed = Condition()

    def body(self, length: int, until: float) -> "Body":
        """Return a body of this length when there is room; raise `TimeoutError` if there is none `until` then."""
        with self._freed:
            if not self._freed.wait_for(lambda: self._left >= length, until - time.monotonic()):
                raise TimeoutError
            self._left -= length
        return Body(self, length)

    def free(self, count: int) -> None:
        with self._freed:
            self._left += count
            self._freed.notify_all()


class Body(bytearray):
    """A body that takes its room until nobody holds it any more."""

    def __init__(self, room: AnswerRoom, length: int) -> None:
        self._room, self._length = room, length
        super().__init__(length)

    def __del__(self) -> None:
        self._room.free(self._length)
