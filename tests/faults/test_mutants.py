"""The schedules have teeth: whichever safeguard is taken out, they find a run that breaks."""

import pytest

from tests.faults.mutants import MUTANTS, SEEDS, SHOWN_BY
from tests.faults.run import run
from tests.faults.simulator import BrokenRunError

SCHEDULES = 1000
"""Most are noticed within fifty."""


@pytest.mark.parametrize("missing", MUTANTS)
def test_notice_what_is_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = [(change, change.mutated()) for change in MUTANTS[missing]]
    for change, function in changed:
        monkeypatch.setattr(change.owner(), change.function, function)
    with pytest.raises(BrokenRunError):
        run(SCHEDULES, SEEDS.get(missing, 1), shrinks=False, **SHOWN_BY.get(missing, {}))
