"""What the tests of plans share."""

import pytest

from skipscan.listing.estimate import rehearsal


@pytest.fixture
def short_rehearsals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rehearse fewer pages, where a test checks what is said. `estimate/test_estimate.py` checks the figures."""
    monkeypatch.setattr(rehearsal, "MOST_PAGES", 30)
