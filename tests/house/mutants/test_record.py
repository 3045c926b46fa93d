"""What is left to try of a defect after the tests that were recorded to call it."""

import os
from pathlib import Path

import pytest

from tests.house.mutants.mutant import Nearest
from tests.house.mutants.record import Record


@pytest.mark.parametrize(("changed", "left"), [(1.0, ()), (3.0, ("test_a.py",))])
def test_a_file_that_was_changed_since_the_record_is_tried_whole(
    changed: float, left: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("test_a.py")
    file.write_text("def test_one() -> None: ...\n")
    os.utime(file, (changed, changed))
    record = Record({"test_a.py::test_one": (0.1, ["room/a.py:f"])}, time=2.0)
    callers = record.callers("room/a.py:f", ())
    assert callers.tests == ("test_a.py::test_one",)
    assert record.others(Nearest(("test_a.py",)), "room/a.py:f", callers).paths == left
