"""A client that AWS refuses as often as a test says, and that is otherwise the one it wraps."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, repeat
from threading import Lock
from typing import Any

from botocore import xform_name
from botocore.paginate import Paginator

from tests.fakes.hostile.refusal import Refusal, exceptions, model


class Hostile:
    """Wraps any client with boto3's methods: boto3's own, or a fake. `refused`: how often each operation was."""

    def __init__(self, client: Any, service: str) -> None:
        self._client = client
        self._operations = {xform_name(name): name for name in model(service).operation_names}
        self._coming: dict[str, Iterable[Refusal]] = {}
        self._lock = Lock()
        self.refused: defaultdict[str, int] = defaultdict(int)
        self.exceptions = _Exceptions(client, service)

    def refuse(self, refusal: Refusal, *operations: str, times: int | None = None) -> None:
        """Have the next calls of the operations refused, by boto3's names; without `times`, all from now on."""
        for operation in operations:
            before = self._coming.get(operation, ())
            self._coming[operation] = iter(chain(before, repeat(refusal) if times is None else repeat(refusal, times)))

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        if name not in self._operations:
            return found

        def call(**asked: Any) -> Any:
            with self._lock:
                refusal = next(iter(self._coming.get(name, ())), None)
                self.refused[name] += refusal is not None
            if refusal is not None:
                raise refusal.error(self._operations[name])
            return found(**asked)

        return call

    def get_paginator(self, name: str) -> Any:
        """Return boto3's own paginator, over the calls of this client."""
        theirs: Any = self._client.get_paginator(name)
        return Paginator(getattr(self, name), theirs._pagination_cfg, theirs._model)


class _Exceptions:
    """A fake has exceptions of its own, and knows some of the service's."""

    def __init__(self, client: Any, service: str) -> None:
        self._client, self._service = client, service

    def __getattr__(self, name: str) -> Any:
        own = getattr(getattr(self._client, "exceptions", None), name, None)
        return own or getattr(exceptions(self._service), name)
