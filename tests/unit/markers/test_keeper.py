"""The outcomes by which the log counts collections are those that the page about markers explains."""

import re
from pathlib import Path

from skipscan.markers.keeper import MarkerOutcome


def test_every_outcome_has_its_name_on_the_page() -> None:
    page = Path("docs/markers.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"collections by outcome\s+\((.*?),\s+or", page, re.DOTALL)
    assert {outcome.value for outcome in MarkerOutcome} < set(re.findall(r"`(\w+)`", line))
