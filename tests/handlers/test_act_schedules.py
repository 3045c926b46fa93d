"""Random schedules of faults: every key settled and counted once, nobody's item touched; and mutants that fail it."""

from collections import Counter
from collections.abc import Iterator
from math import ceil
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.act.task import ActCounts, TaskResult
from skipscan.aws.writer import Writer
from skipscan.loop.results import Results
from tests.handlers.act_world import ACTIONS, FAULTS, World
from tests.handlers.acting import Acting
from tests.suite.examples import ALL

SCHEDULES = 300 if ALL else 150


@pytest.fixture(autouse=True)
def quiet(acting: Acting) -> Iterator[None]:
    """No logs, which would take longer than the schedules; all handlers share one logger."""
    logger = acting.act.function.logger
    logger.setLevel("CRITICAL")
    yield
    logger.setLevel("INFO")


def complaints(acting: Acting, seeds: range, counts: Counter[str], action: str) -> Iterator[str]:
    for seed in seeds:
        world = World(acting, seed, counts, action)
        if complaint := world.complaint(world.run()):
            yield f"{action}, seed {seed}: {complaint}"


@pytest.mark.parametrize("action", ACTIONS)
def test_no_schedule_of_faults_loses_doubles_or_touches_anything(acting: Acting, action: str) -> None:
    counts: Counter[str] = Counter()
    schedules = ceil(SCHEDULES / len(ACTIONS))
    assert list(complaints(acting, range(schedules), counts, action)) == []
    assert all(counts[fault] > schedules / 10 for fault in FAULTS), counts
    assert counts["turns lost"] > schedules
    assert counts["turns interleaved"] > schedules


def unconditional(monkeypatch: pytest.MonkeyPatch) -> None:
    put: Any = Writer._put
    monkeypatch.setattr(Writer, "_put", lambda self, item, key, **_: put(self, item, key, overwrites=True))


def overwrite_unfenced(monkeypatch: pytest.MonkeyPatch) -> None:
    """What bears the job's mark is overwritten again."""
    write: Any = Writer.__init__

    def unfenced(self: Any, client: Any, job: Any) -> None:
        write(self, client, job)
        self._client = SimpleNamespace(
            exceptions=client.exceptions, put_item=lambda **asked: client.put_item(**bare(asked))
        )

    monkeypatch.setattr(Writer, "__init__", unfenced)


def bare(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a put without its condition."""
    return {name: value for name, value in asked.items() if name in {"TableName", "Item", "ReturnConsumedCapacity"}}


def mark_not_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skipscan.aws.writer._found", lambda error: {"theirs": {"BOOL": True}})


def cursor_before_the_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is under way when a batch ends counts as done."""

    def ahead(self: Any, call: Any, fault: Any) -> bool:
        for task in call.tasks:
            self._outcomes[task.number] = TaskResult(ActCounts(put=1))
        self._count()
        return True

    monkeypatch.setattr("skipscan.act.batch.ActBatch._refuse", ahead)


def undo_of_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Writer, "_delete_whole", lambda self, key, _item: self._delete(key, {}))


def each_its_own_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt whose part comes too late returns its own progress."""
    commit: Any = Results.commit

    def own(self: Any, *place: Any) -> Any:
        commit(self, *place)
        return place[3]

    monkeypatch.setattr(Results, "commit", own)


@pytest.mark.parametrize(
    ("mutate", "action"),
    [
        (unconditional, "put_item"),
        (mark_not_recognised, "put_item"),
        (overwrite_unfenced, "overwrite"),
        (cursor_before_the_write, "put_item"),
        (cursor_before_the_write, "send"),
        (undo_of_anything, "undo"),
        (each_its_own_commit, "undo"),
        (each_its_own_commit, "send"),
    ],
)
def test_a_mutant_is_found(acting: Acting, monkeypatch: pytest.MonkeyPatch, mutate: Any, action: str) -> None:
    mutate(monkeypatch)
    assert next(complaints(acting, range(100), Counter(), action), None)
