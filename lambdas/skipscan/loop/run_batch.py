"""The threads that run a batch: each takes a request, makes it, and gives the answer back."""

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from time import sleep
from typing import Any, Protocol, Self

from skipscan.loop.kind import AnyProgress
from skipscan.pace.bounds import Pause
from skipscan.pace.counts import Counts
from skipscan.pace.pace import Fault

LISTEN_SECONDS = 1.0
"""The most by which a Ctrl-C is late: see `_result`."""


@dataclass(frozen=True, slots=True)
class Unread:
    """An answer that is still bytes. `read` makes objects of it, or raises what the request would have raised.

    Objects take up to a hundred times the bytes that DynamoDB counts. Only the thread that holds the lock of its batch
    reads an answer, so however many threads wait for the lock, the objects of one answer exist.
    """

    read: Callable[[], Any]


class Pump(Protocol):
    """The decisions of a batch, each about requests of its own kind. The caller makes these and waits.

    `counts`: of this batch alone. `progress`: the worker's place now. `profile`: how the batch went, for reports only.
    """

    @property
    def counts(self) -> Counts: ...
    @property
    def progress(self) -> AnyProgress: ...
    @property
    def profile(self) -> Mapping[str, Any]: ...
    def take(self) -> Any: ...
    def give(self, request: Any, answer: Any, /) -> None: ...
    def fail(self, request: Any, fault: Fault, /) -> bool: ...
    def stop(self) -> None: ...


@dataclass(frozen=True)
class ReadyBatch:
    """A batch that is ready to run.

    `do`: makes one of its requests; returns the answer, or that it is `Unread`. `threads`: at most; one ends when the
    batch has no request for it. `concurrency`: returns how many threads should run, called after every answer; unless
    given, all start at once.
    """

    pump: Pump
    do: Callable[[Any], Any]
    threads: int
    concurrency: Callable[[], int] | None = None


def run_batch(
    ready: ReadyBatch, *, fault: Callable[[Exception], Fault], sleep: Callable[[float], object] = sleep
) -> Exception | None:
    """Run a batch to its end; return the error that ended it early, or that prevented any answer.

    `fault`: classifies a failed request, see `Fault`. After an error no walk has moved past a request without an
    answer, so the content of the batch is consistent.
    """
    run, batch = _Run(ready, fault, sleep), ready.pump
    with Threads() as run.pool:
        try:
            # The first thread may have an answer before the last is started, and then starts threads itself.
            with run.lock:
                run.begin_threads()
            while run.running:  # a thread that starts another one is still running itself
                _result(run.running.popleft())
        except BaseException:  # Ctrl-C: let the other threads end first
            batch.stop()
            raise
    if run.fatal:
        return run.fatal[0]
    # After any answer there is progress to commit, and what passes is tried again.
    return run.passing[0] if run.passing and not batch.counts.requests else None


class Threads:
    """Threads that wait for work until the end, but do not keep a program from ending, as a ThreadPoolExecutor does.

    A thread whose page nobody takes, or whose rate allows no page, would go on for ever in a program that has left its
    loop over the keys and still has the iterator. A free thread takes the next work, because each has a connection of
    its own, and to make one takes the time of several pages.
    """

    def __init__(self) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._started: list[Thread] = []
        self._free = Semaphore(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for _ in self._started:
            self._work.put(None)
        for thread in self._started:
            thread.join()

    def submit(self, work: Callable[[], None]) -> "Future[None]":
        ended: Future[None] = Future()

        def run() -> None:
            error = None
            try:
                work()
            except BaseException as raised:
                error = raised
            # Before the result is set: whoever waits for it and submits again must find this thread free.
            self._free.release()
            if error is None:
                ended.set_result(None)
            else:
                ended.set_exception(error)

        self._work.put(run)
        if not self._free.acquire(blocking=False):
            thread = Thread(target=self._serve, name="walk", daemon=True)
            self._started.append(thread)
            thread.start()
        return ended

    def _serve(self) -> None:
        while (run := self._work.get()) is not None:
            run()


class _Run:
    """A batch at work, and what its threads share. Arguments: see `run_batch`."""

    pool: "Threads"

    def __init__(
        self, ready: ReadyBatch, fault: Callable[[Exception], Fault], sleep: Callable[[float], object]
    ) -> None:
        self._batch, self._do, self._concurrency = ready.pump, ready.do, ready.concurrency
        self._threads, self._fault, self._sleep = ready.threads, fault, sleep
        self._at_work = 0
        self.lock = Lock()
        self.fatal: list[Exception] = []
        self.passing: list[Exception] = []
        self.running: deque[Future[None]] = deque()

    def begin_threads(self) -> None:
        enough = self._threads if self._concurrency is None else min(self._threads, self._concurrency())
        while self._at_work < enough:
            self._at_work += 1
            self.running.append(self.pool.submit(self._walk_on))

    def _walk_on(self) -> None:
        with self.lock:
            step = self._take()
        while step is not None:
            if isinstance(step, Pause):
                self._sleep(step.seconds)
                with self.lock:
                    step = self._take()
            else:
                step = self._fetch(step)

    def _take(self) -> Any:
        step = self._batch.take()
        if step is None:  # this thread ends, and another one may be started in its place
            self._at_work -= 1
        return step

    def _fetch(self, request: Any) -> Any:
        """Make a request, give its answer to the batch, and take the next step while the lock is held anyway."""
        try:
            answer = self._do(request)
        except Exception as error:
            with self.lock:
                self._failed(request, error)
                return self._take()
        with self.lock:
            self._give(request, answer)
            del answer  # so that a page is freed before its walk's next page arrives
            return self._take()

    def _give(self, request: Any, answer: Any) -> None:
        try:
            content = answer.read() if isinstance(answer, Unread) else answer
        except Exception as error:
            self._failed(request, error)
            return
        try:
            self._batch.give(request, content)
        except Exception as error:
            # Not `fail`: `give` has released the request, and would do so twice.
            self._batch.stop()
            self.fatal.append(error)
        # Only after an answer: no failure makes a batch want more threads.
        if self._concurrency is not None:
            self.begin_threads()

    def _failed(self, request: Any, error: Exception) -> None:
        (self.passing if self._batch.fail(request, self._fault(error)) else self.fatal).append(error)
        # Only the newest: an error keeps the frames, and so the memory, of its request.
        del self.passing[:-1]


def _result(thread: Future[None]) -> None:
    """Wait until `thread` has ended; raise its error.

    A signal that arrives just before a wait does not end it: Python handles it after the wait. So each wait is short.
    """
    while True:
        try:
            return thread.result(LISTEN_SECONDS)
        except TimeoutError:
            # The thread's own error can be a TimeoutError, too.
            if thread.done():
                return thread.result()
