"""The commands and their peers find the same keys."""

from pathlib import Path

import pytest

from benchmarks.finished_run import report as module
from benchmarks.finished_run import standing
from benchmarks.finished_run.report import PEERS, WORKS, beside
from benchmarks.finished_run.runs import CHANGED, new_keys, old_keys


def test_both_runs_have_the_keys_that_are_the_same_and_those_that_changed() -> None:
    old, new = list(old_keys(2_000)), list(new_keys(2_000))
    assert set(old) == set(range(2_000))
    assert old != sorted(old)
    assert len(set(old) - set(new)) == len(set(new) - set(old)) == 2_000 / CHANGED


@pytest.mark.engine
@pytest.mark.long
def test_all_programs_write_the_same_keys() -> None:
    """It raises an error if two results differ."""
    taken = dict(beside(2_000))
    assert list(taken) == list(WORKS)
    figures = {work: {name: each._asdict() for name, each in programs.items()} for work, programs in taken.items()}
    rows = list(standing({"finished_run": {"keys": 2_000, "beside": figures}}))
    assert {row.peer.lower() for row in rows} == set(PEERS)


@pytest.mark.parametrize("work", ["diff", "text"])
def test_another_result_is_an_error(work: str, tmp_path: Path) -> None:
    for name, lines in (("ours", b"a\nb\n"), ("theirs", b"a\nc\n")):
        for suffix in ("", ".new", ".old"):
            (tmp_path / f"{name}{suffix}").write_bytes(lines)
    assert not module._same(work, str(tmp_path / "ours"), str(tmp_path / "theirs"))
    assert module._same(work, str(tmp_path / "ours"), str(tmp_path / "ours"))
