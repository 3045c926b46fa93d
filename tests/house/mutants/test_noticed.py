"""What noticed a defect the last time is tried first, and only time depends on it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.house.mutants.mutant import Chosen

pytestmark = [pytest.mark.slow, pytest.mark.posix]

FILE = "tests/unit/test_a.py"


@pytest.mark.parametrize(
    ("remembered", "tried"),
    [
        (f"{FILE}::test_one", [f"{FILE}::test_one"]),
        (f"{FILE}::test_that_notices_no_more", [f"{FILE}::test_that_notices_no_more", FILE]),
        ("tests/unit/test_b.py::test_one", [FILE]),
        ("", [FILE]),
    ],
)
def test_the_witness_is_tried_unless_one_of_its_tests_notices_again(
    remembered: str, tried: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.house.mutants import noticed  # noqa: PLC0415  # it imports what every child needs, which takes seconds
    from tests.house.mutants.trial import Trial, Verdict  # noqa: PLC0415

    asked: list[str] = []

    def verdicts(trials: Iterable[Trial], processes: int) -> Iterator[Verdict]:
        assert processes == 2
        for trial in trials:
            [one] = getattr(trial.witness, "tests", None) or trial.witness.paths  # type: ignore[union-attr]
            asked.append(one)
            is_dead = one in {f"{FILE}::test_one", FILE}
            yield Verdict(trial, is_dead, said="", killer=f"{FILE}::test_one" if is_dead else "")

    monkeypatch.setattr(noticed, "NOTICED", tmp_path / "noticed.json")
    monkeypatch.setattr(noticed, "tried", verdicts)
    trial = Trial("a defect", {}, Chosen((FILE,)))
    noticed.remember("core", [Verdict(trial, is_dead=True, said="", killer=remembered)])
    [verdict] = noticed.tried_again([trial], "core", 2)
    assert (asked, verdict.is_dead, verdict.trial) == (tried, True, trial)
    noticed.remember("core", [verdict])
    assert noticed.remembered("core") == {"a defect": [f"{FILE}::test_one"]}
    assert noticed.remembered("rooms") == {}
