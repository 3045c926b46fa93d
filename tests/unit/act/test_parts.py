"""The sample of a run's keys: one from each of some slices, however long a line is."""

from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.act.parts import SAMPLED_BYTES, Parts
from skipscan.errors import IncompleteRunError
from skipscan.loop.storage import Stored, checksum
from tests.refusal import refused


class Memory:
    """A storage of one part, which reports no checksum of its own."""

    def __init__(self, *lines: bytes) -> None:
        self.body = b"".join(lines)

    def look(self, name: str) -> Stored:
        return Stored(name, len(self.body), datetime.now(UTC), {})

    def get(self, name: str) -> bytes:
        return self.body

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        return self.body[start:end], len(self.body)

    def sample(self, **changed: Any) -> list[str]:
        part = {"name": "part-1", "bytes": len(self.body), "sha256": checksum(self.body), **changed}
        storage: Any = self
        manifest = {"format": "jsonl", "partition_key": [{"name": "pk", "type": "S"}], "parts": [part]}
        return [key["pk"]["S"] for key in Parts(storage).sample(manifest)]


def line(value: str) -> bytes:
    return b'{"pk": "%s"}\n' % value.encode()


@pytest.mark.parametrize("characters", [3, SAMPLED_BYTES, 3 * SAMPLED_BYTES])
def test_a_sample_has_a_key_of_a_run_whose_lines_are_long(characters: int) -> None:
    """A line with an item may be longer than one read of the sample."""
    assert Memory(line("x" * characters), line("y")).sample()[0] == "x" * characters


def test_a_part_that_somebody_changed_gives_no_sample() -> None:
    with refused(IncompleteRunError, "part-1", rule="12 bytes .*SHA-256"):
        Memory(line("x")).sample(sha256=checksum(b"other"))
    with refused(IncompleteRunError, "part-1", rule="99 bytes"):
        Memory(line("x")).sample(bytes=99)
