"""Random segments of a source, one after the other, until a reader has enough of them.

A hash distributes partition keys, so random segments are an unbiased sample of the item collections. What is read of a
segment, and how much of all, is the reader's: a plan walks with the Limits of a run (`walks`), a profile reads whole
segments, the forecast of a job reads first items.

No boto3: a reader yields the pages that it needs, and accepts them in that order.
"""

from collections.abc import Generator
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from skipscan.dynamodb.source import Item

A_co = TypeVar("A_co", covariant=True)
R = TypeVar("R")
Steps = Generator[A_co, Any, R]
"""Yields the pages to read, each of which is sent back as a `Page`; and what they come to."""

MOST_SECONDS = 90.0
"""A sample that somebody waits for ends then: its pages are read one after the other."""

UNKNOWN_SEGMENTS = 1000
"""Of a source of which nothing tells how large it is."""


class SegmentPage(NamedTuple):
    """A page of whole items to scan, of up to 1 MB."""

    segments: int
    segment: int
    start_key: Item | None = None
    limit: int | None = None


class SampleReader(Protocol[A_co]):
    """How a sample is read. `chance`: draws its segments."""

    chance: Random

    def begin(self) -> Steps[A_co, tuple[int, int] | None]:
        """Read a small source whole; of any other return the number of segments, and how many to read at most."""

    def read(self, segments: int, segment: int) -> Steps[A_co, bool]:
        """Read a segment; return whether another one may be read."""


def random_segments(reader: SampleReader[A_co]) -> Steps[A_co, None]:
    """Read the source whole if it is small, else random segments of it."""
    divided = yield from reader.begin()
    if divided is None:
        return
    segments, most = divided
    for segment in reader.chance.sample(range(segments), min(most, segments)):
        if not (yield from reader.read(segments, segment)):
            return
