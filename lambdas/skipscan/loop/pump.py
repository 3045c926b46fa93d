"""A batch as the kernel drives it: it hands out requests and takes their answers, one thread at a time."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from skipscan.loop.progress import Progress
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Pause
from skipscan.pace.counts import Counts

Request = TypeVar("Request")
Answer_contra = TypeVar("Answer_contra", contravariant=True)


class Pump(Protocol[Request, Answer_contra]):
    """The decisions of a batch; whoever drives it waits and asks.

    `counts`: what this batch alone did. `progress`: where the worker stands now. `profile`: how the batch went, for
    reports; no decision rests on it.
    """

    @property
    def counts(self) -> Counts: ...
    @property
    def progress(self) -> Progress: ...
    @property
    def profile(self) -> Mapping[str, Any]: ...
    def take(self) -> Request | Pause | None: ...
    def give(self, request: Request, answer: Answer_contra, /) -> None: ...
    def fail(self, request: Request, fault: Fault, /) -> bool: ...
    def stop(self) -> None: ...
