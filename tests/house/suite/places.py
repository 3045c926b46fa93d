"""A test may say which place of the product it brings to a second page, to asking again, or to waiting.

It then fails unless the product did so, whatever stands in for AWS. tests/house/test_aws_calls.py finds the places in
the product's syntax trees and requires such a test of each.

- `second_page(place, ...)`: an operation was asked for another page than its first.
- `asked_again(place, ...)`: an operation was refused, and a later one was not.
- `waits(place, ...)`: the place waited, and no time went by: a clock of the test stood in for `time.sleep`.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.house import aws_calls
from tests.house.aws_calls import CLIENTS, ROOMS, lines_of_waits, module_of, operations, source, sources, tokens

SLEEP = time.sleep
KINDS = ("second_page", "asked_again", "waits")


def pytest_configure(config: pytest.Config) -> None:
    for kind in KINDS:
        config.addinivalue_line("markers", f"{kind}(place, ...): fails unless that place of the product did so")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    wanted = {(kind, place) for kind in KINDS for mark in item.iter_markers(kind) for place in mark.args}
    if not wanted:
        return (yield)
    watch = Watch()
    with watch.watching({kind for kind, _ in wanted}):
        yield
    if missing := sorted(wanted - watch.seen):
        pytest.fail(f"the product did not do what the marks say: {missing}", pytrace=False)
    if slept := sorted(place for kind, place in wanted if kind == "waits" and place in watch.slept):
        pytest.fail(f"the product really slept: {slept}", pytrace=False)
    return None


class Watch:
    """`seen`: kinds and places. `slept`: places that let real time go by."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()
        self.slept: set[str] = set()
        self._refused: set[str] = set()
        self._thread = threading.get_ident()

    @contextmanager
    def watching(self, kinds: set[str]) -> Iterator[None]:
        """Watch this thread, and those that begin meanwhile."""
        before = sys.gettrace(), sys.getprofile()
        if kinds - {"waits"}:
            operations()
            sys.settrace(self._trace)
            threading.settrace(self._trace)
        if "waits" in kinds:
            # Not in the hook: `ast.parse` in there may end with "AST constructor recursion depth mismatch", which the
            # product then sees (https://github.com/python/cpython/issues/106905, until 3.11.8).
            for parsed in sources():
                lines_of_waits(parsed)
            sys.setprofile(self._profile)
            threading.setprofile(self._profile)
        try:
            yield
        finally:
            sys.settrace(before[0])
            sys.setprofile(before[1])
            threading.settrace(None)
            threading.setprofile(None)

    def _trace(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        operation = operation_of(frame)
        places = callers(frame) if operation else []
        if operation is None or not places:
            return None
        if threading.get_ident() != self._thread:  # what the first thread waits for meanwhile
            places += callers(sys._current_frames()[self._thread], itself=True)
        if any(given.get(name) is not None for name in tokens(operation) for given in _given(frame)):
            self.seen.add(("second_page", places[0]))
        before = ""

        def local(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
            nonlocal before
            if event == "return" and before == "exception":
                self._refused.update(places)
            elif event == "return":
                self.seen.update(("asked_again", place) for place in self._refused.intersection(places))
            before = event
            return local

        return local

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        caller = frame.f_back if event == "call" else frame if event == "c_call" else None
        if caller is None:
            return
        if caller.f_lineno in lines_of(caller.f_code):
            self.seen.add(("waits", str(place_of(caller.f_code))))
        if argument is SLEEP:
            self.slept.update(callers(caller, itself=True)[:1])


def operation_of(frame: FrameType) -> str | None:
    """Return the operation if a frame is the call of a client's method, of boto3 or of what stands in for it."""
    name = frame.f_code.co_name
    if name == "_api_call":
        return str(frame.f_locals.get("operation_name"))
    return operations().get(name) if place_of(frame.f_code) is None else None


def _given(frame: FrameType) -> list[Mapping[str, Any]]:
    return [frame.f_locals, *(value for value in frame.f_locals.values() if isinstance(value, dict))]


def callers(frame: FrameType, *, itself: bool = False) -> list[str]:
    """Return the places that lead to a frame, the nearest first; none if another operation leads to it."""
    places: list[str] = []
    above = frame if itself else frame.f_back
    while above is not None:
        place = place_of(above.f_code)
        if place is not None:
            places.append(place)
        elif not places and not itself and operation_of(above):
            return []
        above = above.f_back
    return places


@cache
def lines_of(code: CodeType) -> frozenset[int]:
    """Return the lines on which a function of the product waits."""
    place = place_of(code)
    return frozenset(lines_of_waits(source(Path(code.co_filename))).get(place, ()) if place else ())


@cache
def place_of(code: CodeType) -> str | None:
    """Return the place of a function of the product; `None` for any other."""
    path = Path(code.co_filename)
    if not any(path.is_relative_to(aws_calls.ROOT / room) for room in ROOMS):
        return None
    module = module_of(path)
    if module.startswith(CLIENTS):
        return None
    names = (name for name in code.co_qualname.split(".") if not name.startswith("<"))
    return f"{module}:{'.'.join(names)}"
