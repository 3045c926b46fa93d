"""Functions that run in steps: one thread each, of which only one runs at a time, when the schedule lets it."""

from collections.abc import Callable
from threading import Lock, Thread
from typing import Any, ClassVar


class Killed(BaseException):
    """Raised inside a fibre that ends here; no `except Exception` stops it."""


class _Baton:
    """A thread, and the locks with which it and its driver take turns. Threads are kept for the next fibre."""

    idle: ClassVar[list["_Baton"]] = []

    def __init__(self) -> None:
        self.go, self.back = Lock(), Lock()
        self.go.acquire()
        self.back.acquire()
        self.work: Callable[[], None] = lambda: None
        Thread(target=self._serve, daemon=True, name="fibre").start()

    def _serve(self) -> None:
        while True:
            self.go.acquire()
            self.work()
            self.idle.append(self)
            self.back.release()


class Fibre:
    """One running function.

    `family`: the fibres that it started, itself first. `waits_for`: the condition to continue. `due`: the time that it
    waits for, if it does.
    """

    running: "Fibre | None" = None

    def __init__(self, function: Callable[[], Any], family: "list[Fibre] | None" = None) -> None:
        self._function = function
        self.family = [] if family is None else family
        self.family.append(self)
        self._baton: _Baton | None = None
        self._is_killed = False
        self.waits_for: Callable[[], bool] = lambda: True
        self.due = 0.0
        self.done = False
        self.value: Any = None
        self.error: BaseException | None = None

    def go_on(self) -> None:
        """Run the function to its next `pause` or its end."""
        before, Fibre.running = Fibre.running, self
        if self._baton is None:
            self._baton = _Baton.idle.pop() if _Baton.idle else _Baton()
            self._baton.work = self._run
        baton = self._baton
        baton.go.release()
        baton.back.acquire()
        Fibre.running = before

    def pause(self, until: Callable[[], bool] = lambda: True) -> None:
        """Hand back to the caller; called inside the fibre. Raises `Killed` if it was killed meanwhile."""
        self.check()
        assert self._baton
        self.waits_for = until
        self._baton.back.release()
        self._baton.go.acquire()
        self.check()

    def check(self) -> None:
        if self._is_killed:
            raise Killed

    def kill(self) -> None:
        """End the fibre at its current call."""
        self._is_killed = True
        if self._baton is None:
            self.done, self.error = True, Killed()
        while not self.done:
            self.go_on()

    def _run(self) -> None:
        try:
            self.value = self._function()
        except BaseException as error:
            self.error = error
        self.done = True
        self._baton = None


class FibrePool:
    """Replaces ThreadPoolExecutor: its threads are fibres of the attempt that created it."""

    def __init__(self, *_: object, **__: object) -> None:
        self._fibres: list[Fibre] = []

    def __enter__(self) -> "FibrePool":
        return self

    def __exit__(self, *_: object) -> None:
        for fibre in self._fibres:
            _wait(fibre)

    def submit(self, function: Callable[..., Any], *given: Any) -> "Future":
        assert Fibre.running
        fibre = Fibre(lambda: function(*given), Fibre.running.family)
        self._fibres.append(fibre)
        return Future(fibre)

    def map(self, function: Callable[..., Any], *given: Any) -> Any:
        return map(function, *given)


class Future:
    def __init__(self, fibre: Fibre) -> None:
        self._fibre = fibre

    def result(self, _timeout: float | None = None) -> Any:
        _wait(self._fibre)
        if self._fibre.error:
            raise self._fibre.error
        return self._fibre.value


def _wait(fibre: Fibre) -> None:
    if not fibre.done:
        assert Fibre.running
        Fibre.running.pause(lambda: fibre.done)


class FibreLock:
    """A lock that a fibre may hold while it is paused: another one that wants it pauses, too."""

    def __init__(self) -> None:
        self._is_held = False

    def __enter__(self) -> None:
        while self._is_held and Fibre.running:
            Fibre.running.pause(lambda: not self._is_held)
        self._is_held = True

    def __exit__(self, *_: object) -> None:
        self._is_held = False
