"""How many pages a worker has under way: few as long as it learns, then as many as pay. Time here is counted."""

from collections.abc import Iterator
from heapq import heappop, heappush
from random import Random
from typing import Any

import pytest

from skipscan.scan.batch import Batch, Request
from skipscan.scan.cursor import CURSORS_BYTES
from skipscan.scan.plan import WALKS
from skipscan.scan.width import MOST_WALKS, START_PAGES, Width
from tests.unit.scan.worker import Worker, page

pytestmark = pytest.mark.slow


def under_way(batch: Batch) -> list[Request]:
    """Take as many pages as may be under way."""
    requests = []
    while isinstance(step := batch.take(), Request):
        requests.append(step)
    return requests


class Wire:
    """A worker whose pages come after some seconds, and then take turns in what one page at a time can use.

    `collections`: of one page each, in segments alike. `seconds`, `most`: until all have come, pages under way at once.
    """

    def __init__(
        self, collections: int, segments: int, *, away: float, turn: float, seed: int | None = None, **asked: Any
    ) -> None:
        self.worker = Worker(segments=segments, workers=1, **asked)
        self.worker.now = 0.0
        self._left = dict.fromkeys(range(segments), collections // segments)
        self._away, self._turn, self._free = away, turn, 0.0
        self._random = Random(seed) if seed is not None else None
        self._due: list[tuple[float, int, Request]] = []
        self._numbers: Iterator[int] = iter(range(1 << 30))
        self.batch = self.worker.batch(worker=0)
        self.most = 0

    def run(self) -> float:
        """Return after how many seconds all pages have come."""
        self._ask()
        while self._due:
            due, _, request = heappop(self._due)
            self.worker.now = self._free = max(due, self._free) + self._turn
            self._left[request.segment] -= 1
            left = self._left[request.segment]
            name = f"{request.segment} {left}"
            self.batch.give(request, page(name, last=name if left else None))
            self._ask()
        assert not any(self._left.values())
        return self.worker.now

    def _ask(self) -> None:
        for request in under_way(self.batch):
            away = self._away * (self._random.uniform(0.6, 1.8) if self._random else 1.0)
            heappush(self._due, (self.worker.now + away, next(self._numbers), request))
        self.most = max(self.most, len(self._due))


def bound(wire_seconds: float, pages: int, walks: int = 16) -> float:
    return pages * wire_seconds / walks


@pytest.mark.parametrize(("turn", "most"), [(0.0004, 32), (0.0011, 16), (0.004, 8)])
def test_beside_the_table_no_more_walks_are_begun_than_pay_and_those_that_do(turn: float, most: int) -> None:
    """A doubling is tried before it is given up: so a width of half as many is kept."""
    wire = Wire(3200, 128, away=0.005, turn=turn)
    seconds = wire.run()
    assert wire.most <= most
    assert wire.batch.progress.position.opened == 128
    assert seconds <= 1.35 * max(3200 * turn, bound(0.005 + turn, 3200))


@pytest.mark.parametrize("walks", [8, 16])
def test_a_doubling_that_does_not_pay_is_tried_again_after_twice_as_many_judgements(walks: int) -> None:
    """Pages come at the same rate for any width. A judgement takes 4 pages of each walk, or 2 if these take long."""
    tries: list[int] = []
    width, pages, number = Width(walks), 0, 0
    while len(tries) < 7:
        before = width.walks
        while not width.is_used_up:
            width.begin(number * 0.01)
        number += 1
        width.receive(number * 0.01)
        pages += before == walks
        if width.walks > before:
            tries.append(pages // (walks * (START_PAGES if walks < 16 else 2)))
            pages = 0
        assert width.walks in (walks, 2 * walks)
    assert tries == [1, 5, 9, 17, 33, 65, 65]


@pytest.mark.parametrize(("key_bytes", "most"), [(20, 128), (1000, 64), (2000, 32), (3000, 21)])
def test_walks_are_begun_as_long_as_their_cursors_fit_into_state(key_bytes: int, most: int) -> None:
    batch = Worker(workers=1, segments=256).batch(worker=0)
    requests = under_way(batch)
    for number in range(5 * MOST_WALKS):
        name = f"{number:0{key_bytes - 1}}"
        batch.give(requests.pop(0), page(name, last=name))
        requests += under_way(batch)
    assert most <= 1.1 * len(requests) <= 1.1 * MOST_WALKS
    assert len(requests) <= max(WALKS, CURSORS_BYTES // key_bytes)
