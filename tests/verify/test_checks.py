"""Every check on the embedded engines; what an engine cannot pass must fail, for the reason that stands here."""

import pytest

from verify.check import Check, Outcome
from verify.checks import CHECKS
from verify.kit import Kit
from verify.run import attempt

pytestmark = pytest.mark.xdist_group("embedded")

DEVIATIONS: dict[str, dict[str, str]] = {"dynalite": {}, "ministack": {}}


@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.name)
@pytest.mark.parametrize("engine", ["dynalite", "ministack"])
def test_an_assumption_holds(kits: dict[str, Kit], engine: str, check: Check) -> None:
    outcome, seen = attempt(kits[engine], check)
    print(engine, check.name, outcome, seen)
    assert outcome is Outcome.HELD, f"{outcome}: {seen}"
