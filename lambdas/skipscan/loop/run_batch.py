"""The threads that run a batch: each takes a request, makes it, and gives the answer back."""

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import sleep
from typing import Any, Protocol, TypeVar

from skipscan.loop.progress import Progress
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Pause
from skipscan.pace.counts import Counts

Request = TypeVar("Request")


Answer_contra = TypeVar("Answer_contra", contravariant=True)

LISTEN_SECONDS = 1.0


class Pump(Protocol[Request, Answer_contra]):
    """The decisions of a batch. The caller makes the requests and waits.

    `counts`: of this batch alone. `progress`: the worker's place now. `profile`: how the batch went, for reports only.
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
    wanted: Callable[[], int] | None = None,
) -> Exception | None:
    """Run a batch to its end; return the error that ended it early, or that prevented any answer.

    `threads`: the maximum; a thread ends when the batch has no request for it. `wanted`: returns how many threads
    should run, called after every answer; unless given, all start at once. `fault`: classifies a failed request, see
    `Fault`. After an error no walk has moved past a request without an answer, so the content of the batch is
    consistent.
    """
    lock = Lock()
    fatal: list[Exception] = []
    passing: list[Exception] = []
    running: deque[Future[None]] = deque()
    at_work = 0

    def begin_threads() -> None:
        nonlocal at_work
        enough = threads if wanted is None else min(threads, wanted())
        while at_work < enough:
            at_work += 1
            running.append(pool.submit(walk_on))

    def take() -> Request | Pause | None:
        nonlocal at_work
        with lock:
            step = batch.take()
            at_work -= step is None
            return step

    def walk_on() -> None:
        while (step := take()) is not None:
            if isinstance(step, Pause):
                sleep(step.seconds)
            else:
                fetch(step)

    def fetch(request: Request) -> None:  # a function, so that a page is freed before its walk's next page arrives
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
            if wanted is not None:
                begin_threads()

    with ThreadPoolExecutor(threads, thread_name_prefix="walk") as pool:
        try:
            with lock:
                begin_threads()
            while running:  # a thread that starts another one is still running itself
                _result(running.popleft())
        except BaseException:  # Ctrl-C: let the other threads end first
            batch.stop()
            raise
    if fatal:
        return fatal[0]
    return passing[0] if passing and not batch.counts.requests else None


def _result(thread: Future[None]) -> None:
    """Wait until `thread` has ended; raise its error.

    A signal that arrives just before a wait does not end it: Python handles it after the wait. So each wait is short.
    """
    while True:
        try:
            return thread.result(LISTEN_SECONDS)
        except TimeoutError:
            if thread.done():
                return thread.result()
