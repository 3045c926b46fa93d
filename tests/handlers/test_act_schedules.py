"""Random schedules of faults: every marker put and counted once, nobody's item touched; and mutants that fail it."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from skipscan.act_counts import ActCounts
from skipscan.aws.writer import Writer
from skipscan.task import Outcome
from tests.handlers.act_world import FAULTS, World
from tests.handlers.acting import Acting

SCHEDULES = 500


@pytest.fixture(autouse=True)
def quiet(acting: Acting) -> Iterator[None]:
    """No logs, which would take longer than the schedules; all handlers share one logger."""
    logger = acting.act.logger
    logger.setLevel("CRITICAL")
    yield
    logger.setLevel("INFO")


def complaints(acting: Acting, seeds: range, counts: Counter[str]) -> Iterator[str]:
    for seed in seeds:
        world = World(acting, seed, counts)
        if complaint := world.complaint(world.run()):
            yield f"seed {seed}: {complaint}"


def test_no_schedule_of_faults_loses_doubles_or_touches_anything(acting: Acting) -> None:
    counts: Counter[str] = Counter()
    assert list(complaints(acting, range(SCHEDULES), counts)) == []
    assert all(counts[fault] > SCHEDULES / 10 for fault in FAULTS), counts
    assert counts["turns lost"] > SCHEDULES


def unconditional(monkeypatch: pytest.MonkeyPatch) -> None:
    put: Any = Writer._put
    monkeypatch.setattr(Writer, "_put", lambda self, item, unless: put(self, item, None))


def mark_not_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skipscan.aws.writer._found", lambda error: {"theirs": {"BOOL": True}})


def cursor_before_the_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is under way when a batch ends counts as done."""

    def ahead(self: Any, call: Any, fault: Any) -> bool:
        for task in call.tasks:
            self._outcomes[task.number] = Outcome(ActCounts(put=1))
        self._count()
        return True

    monkeypatch.setattr("skipscan.act_batch.ActBatch._refuse", ahead)


@pytest.mark.parametrize("mutate", [unconditional, mark_not_recognised, cursor_before_the_write])
def test_a_mutant_is_found(acting: Acting, monkeypatch: pytest.MonkeyPatch, mutate: Any) -> None:
    mutate(monkeypatch)
    assert next(complaints(acting, range(100), Counter()), None)
