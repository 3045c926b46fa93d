"""A status shows what is committed by the time of the look, to the newest batch."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.environment.watch import Watch, seconds_to_next_look
from skipscan.loop.failure import Failure

START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Stored:
    """Parts of two workers, as `Results` finds them. `parts`: how many each has committed."""

    parts: list[int] = field(default_factory=lambda: [0, 0])
    read: list[tuple[int, int]] = field(default_factory=list)

    @property
    def layout(self) -> Any:
        return SimpleNamespace(
            table="Orders", name="run-1", parts="parts/", worker_and_batch=lambda name: tuple(map(int, name.split("/")))
        )

    @property
    def storage(self) -> Any:
        names = [(w, b) for w, count in enumerate(self.parts) for b in range(count)]
        return SimpleNamespace(
            names=lambda _: [(f"{w}/{b}", START + timedelta(minutes=b, seconds=w)) for w, b in names]
        )

    def plan(self) -> dict[str, Any]:
        return {"name": "run-1"}

    def manifest(self) -> None:
        return None

    def resumes(self) -> int:
        return 0

    def failures(self) -> list[Failure]:
        return []

    def report(self, _: object) -> None:
        return None

    manifest_uri = "s3://bucket/manifest.json"

    def committed(self, worker: int, batch: int) -> dict[str, Any]:
        """Return the progress that a batch was committed with: the number of the next one."""
        self.read.append((worker, batch))
        return {"batch": batch + 1}


def test_every_look_shows_each_worker_s_newest_commit_and_reads_no_other() -> None:
    kind: Any = SimpleNamespace(
        work=lambda _: SimpleNamespace(plan=None),
        progress=lambda committed, _: SimpleNamespace(**committed),
        expected=lambda _: 1.0,
    )
    stored: Any = Stored()
    executions: Any = None
    watch = Watch(kind, stored, executions, None)
    assert watch.look().reached == {}
    for parts, fresh in (([1, 0], [(0, 0)]), ([2, 1], [(0, 1), (1, 0)]), ([2, 1], []), ([5, 2], [(0, 4), (1, 1)])):
        stored.parts, stored.read = parts, []
        status = watch.look()
        assert {worker: reached.batch for worker, reached in (status.reached or {}).items()} == {
            worker: count for worker, count in enumerate(parts) if count
        }
        assert sorted(stored.read) == fresh
        assert status.committed == START + timedelta(minutes=parts[0] - 1)


@pytest.mark.parametrize(("waited", "seconds"), [(0, 1), (60, 1), (90, 1.5), (300, 5), (600, 10), (86_400, 10)])
def test_looks_come_every_second_at_first_and_every_ten_seconds_at_last(waited: float, seconds: float) -> None:
    assert seconds_to_next_look(waited) == seconds
