"""Markers equal collections in the end, whatever happens in between; and every way to break the keeper is found."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.markers.interleaving import Interleaving, WithCrashesAndHands, WithoutMarkersEvents

THOROUGH = settings(
    max_examples=250, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("machine", [WithCrashesAndHands, WithoutMarkersEvents])
def test_markers_equal_collections_when_all_events_are_handled(machine: type[Interleaving]) -> None:
    run_state_machine_as_test(machine, settings=THOROUGH)
