"""The threads that run a batch: each takes a request, does it, gives its answer back, and so on."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import sleep
from typing import Any, Protocol, TypeVar

from skipscan.loop.progress import Progress
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Pause
from skipscan.pace.counts import Counts

Request = TypeVar("Request")


Answer_contra = TypeVar("Answer_contra", contravariant=True)


class Pump(Protocol[Request, Answer_contra]):
    """The decisions of a batch; the caller waits and asks.

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


def run_batch(
    batch: Pump[Request, Answer_contra],
    do: Callable[[Request], Answer_contra],
    threads: int,
    *,
    fault: Callable[[Exception], Fault],
    sleep: Callable[[float], object] = sleep,
) -> Exception | None:
    """Run a batch to its end; return the error that ended it early, or that kept every answer from coming.

    `fault`: what a failed request says about the next one. After an error nothing has moved past a request that was
    not answered, so what the batch holds by then is whole.
    """
    lock = Lock()
    fatal: list[Exception] = []
    passing: list[Exception] = []

    def take() -> Request | Pause | None:
        with lock:
            return batch.take()

    def walk_on() -> None:
        while (step := take()) is not None:
            if isinstance(step, Pause):
                sleep(step.seconds)
            else:
                fetch(step)

    def fetch(request: Request) -> None:  # a function, so that a page is gone before its walk's next one comes
        try:
            answer = do(request)
        except Exception as error:
            with lock:
                (passing if batch.fail(request, fault(error)) else fatal).append(error)
                del passing[:-1]
            return
        with lock:
            try:
                batch.give(request, answer)
            except Exception as error:
                batch.stop()
                fatal.append(error)

    with ThreadPoolExecutor(threads, thread_name_prefix="walk") as pool:
        try:
            for walking in [pool.submit(walk_on) for _ in range(threads)]:
                walking.result()
        except BaseException:  # Ctrl-C: let the other threads end before it goes on its way
            batch.stop()
            raise
    if fatal:
        return fatal[0]
    return passing[0] if passing and not batch.counts.requests else None
