"""What a trial sees: a copy of the product, beside everything else that the checkout has."""

from pathlib import Path

import pytest

from tests.house.mutants.mutant import PACKAGE, Chosen

pytestmark = [pytest.mark.slow, pytest.mark.posix]


def test_a_copy_has_what_tests_of_infra_read_beside_the_code(tmp_path: Path) -> None:
    from tests.house.mutants.trial import Copy  # noqa: PLC0415  # it imports what every child needs, which takes seconds

    Copy(tmp_path)
    names = {each.name for each in Path().iterdir()} - {"tests", ".git"}
    assert {"docs", "lambdas", "infra", "cdk.json", ".gitignore", "CHANGELOG.md"} <= names
    assert {each.name for each in tmp_path.iterdir()} == names
    own = {each.name for each in tmp_path.iterdir() if not each.is_symlink()}
    assert own == {"lambdas", "infra"}


@pytest.mark.long
def test_what_never_ends_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.house.mutants import trial  # noqa: PLC0415  # as above

    monkeypatch.setattr(trial, "TEST_CPU_SECONDS", 1)
    monkeypatch.setattr(trial, "WAITING_SECONDS", 10)
    file, path = "tests/unit/pace/test_budget.py", Path("skipscan/pace/budget.py")

    def changed(step: str) -> dict[Path, str]:
        never = f"def never(*_, **__):\n    import time\n    while True:\n        {step}\n\nBudget.of_batch = never\n"
        return {path: f"{(PACKAGE / path).read_text()}\n\n{never}"}

    trials = [trial.Trial(step, changed(step), Chosen((file,))) for step in ("pass", "time.sleep(9)")]
    killers = {verdict.trial.name: verdict.killer for verdict in trial.tried(trials, 2)}
    assert killers.keys() == {"pass", "time.sleep(9)"}
    assert all(killer.startswith(f"{file}::test_") for killer in killers.values())
