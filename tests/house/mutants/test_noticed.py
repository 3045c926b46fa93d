"""What noticed a defect the last time is tried first, and only time depends on it."""

from pathlib import Path

import pytest

from tests.house.mutants.mutant import PACKAGE, Chosen

pytestmark = [pytest.mark.slow, pytest.mark.posix]

FILE, PATH = "tests/unit/pace/test_budget.py", Path("skipscan/pace/budget.py")


@pytest.mark.parametrize("remembered", [FILE, f"{FILE}::test_that_is_gone", "tests/unit/pace/test_rate.py::test_other"])
def test_a_test_that_is_gone_leaves_the_witness(
    remembered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.house.mutants import noticed  # noqa: PLC0415  # it imports what every child needs, which takes seconds
    from tests.house.mutants.trial import Trial, Verdict  # noqa: PLC0415

    monkeypatch.setattr(noticed, "NOTICED", tmp_path / "noticed.json")
    broken = {PATH: (PACKAGE / PATH).read_text() + "\n\nBudget.left = None\n"}
    trials = [Trial("broken", broken, Chosen((FILE,))), Trial("unchanged", {}, Chosen((FILE,)))]
    noticed.remember("core", [Verdict(each, is_dead=True, said="", killer=remembered) for each in trials])
    verdicts = {verdict.trial.name: verdict for verdict in noticed.tried_again(trials, "core", 2)}
    assert {name: verdict.is_dead for name, verdict in verdicts.items()} == {"broken": True, "unchanged": False}
    assert all(verdict.trial in trials for verdict in verdicts.values())
    noticed.remember("core", verdicts.values())
    [[test]] = noticed.remembered("core").values()
    assert test.startswith(f"{FILE}::test_")
