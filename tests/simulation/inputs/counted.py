"""A client that counts its Scan requests."""

from threading import Lock
from typing import Any

from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Wrapper


class Counted(Wrapper):
    """`scans`: the number of requested Scans, including failed ones."""

    def __init__(self, client: FakeDynamoDB) -> None:
        super().__init__(client)
        self.scans = 0
        self._lock = Lock()

    def scan(self, **parameters: Any) -> dict[str, Any]:
        with self._lock:
            self.scans += 1
        return super().scan(**parameters)
