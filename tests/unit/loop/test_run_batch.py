"""The threads that run a batch."""

import _thread
import json
import signal
from collections.abc import Iterator
from threading import Barrier, Event
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.loop import run_batch as module
from skipscan.loop.run_batch import ReadyBatch, Unread, run_batch
from skipscan.pace.bounds import Pause
from skipscan.pace.pace import Fault

pytestmark = pytest.mark.slow


class Batch:
    """A batch of one request that ends when it is stopped."""

    progress: Any = None
    counts: Any = SimpleNamespace(requests=0)
    profile: Any = None

    def __init__(self) -> None:
        self.requests: Iterator[Any] = iter(["the only one"])
        self.stopped = Event()

    def take(self) -> Any:
        return next(self.requests, None)

    def give(self, _request: str, _answer: bool) -> None: ...

    def fail(self, _request: str, _fault: Fault) -> bool:
        return False

    def stop(self) -> None:
        self.stopped.set()


def test_ctrl_c_just_before_a_wait_ends_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTEN_SECONDS", 0.01)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test that ends a command may leave another
    batch, heard = Batch(), []

    def fetch(_request: str) -> bool:
        sleep(0.05)  # so that the main thread waits; earlier it would get the signal at once
        _thread.interrupt_main()  # unlike a signal, it does not wake a thread that waits already
        heard.append(batch.stopped.wait(30))
        return True

    try:
        with pytest.raises(KeyboardInterrupt):
            run_batch(ReadyBatch(batch, fetch, 1), fault=lambda _error: Fault.FATAL)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [True]


class Pages(Batch):
    """A batch of as many requests as threads. `give` records that an answer is read, and lets it go."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.requests = iter(map(str, range(count)))
        self.given: list[int] = []
        self.failed: list[Fault] = []

    def give(self, _request: str, answer: Any) -> None:
        self.given.append(len(answer["Items"]))

    def fail(self, _request: str, fault: Fault) -> bool:
        self.failed.append(fault)
        return True


def test_a_thread_waits_as_long_as_the_batch_says_and_then_goes_on() -> None:
    batch, slept = Pages(0), list[float]()
    batch.requests = iter([Pause(2.5), Pause(0.5), "the only one"])
    batch.counts = SimpleNamespace(requests=1)
    ready = ReadyBatch(batch, lambda _: {"Items": []}, 1)
    assert run_batch(ready, fault=lambda _error: Fault.FATAL, sleep=slept.append) is None
    assert (slept, batch.given) == ([2.5, 0.5], [0])


def test_an_answer_that_cannot_be_read_is_a_failed_request() -> None:
    batch = Pages(2)
    ready = ReadyBatch(batch, lambda _request: Unread(lambda: json.loads("{")), 1)
    error = run_batch(ready, fault=lambda _error: Fault.PASSING)
    assert (batch.failed, batch.given) == ([Fault.PASSING] * 2, [])
    assert isinstance(error, ValueError)


def test_as_many_requests_are_under_way_as_there_are_threads() -> None:
    together = Barrier(4)

    def fetch(_request: str) -> Any:
        together.wait(30)
        return {"Items": []}

    batch = Pages(4)
    batch.counts = SimpleNamespace(requests=4)
    assert run_batch(ReadyBatch(batch, fetch, 4), fault=lambda _error: Fault.FATAL) is None
    assert batch.given == [0] * 4


def test_threads_begin_as_a_batch_allows_more_after_an_answer() -> None:
    """As a batch that wants no page more before its first answer."""
    together, batch = Barrier(3), Pages(4)
    batch.counts = SimpleNamespace(requests=4)

    def fetch(request: str) -> Any:
        if request != "0":
            together.wait(30)
        return {"Items": []}

    def concurrency() -> int:
        return 3 if batch.given else 1

    assert run_batch(ReadyBatch(batch, fetch, 4, concurrency), fault=lambda _error: Fault.FATAL) is None
    assert batch.given == [0] * 4


def test_an_answer_that_the_batch_cannot_take_ends_it_with_that_error() -> None:
    class Broken(Pages):
        def give(self, _request: str, answer: Any) -> None:
            raise KeyError(answer)

    batch = Broken(1)
    batch.counts = SimpleNamespace(requests=1)
    error = run_batch(ReadyBatch(batch, lambda _: "an answer", 1), fault=lambda _error: Fault.PASSING)
    assert (repr(error), batch.stopped.is_set(), batch.failed) == ("KeyError('an answer')", True, [])
