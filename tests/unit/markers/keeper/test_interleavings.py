"""Markers match the collections in the end: several collections, whole batches of records, any interleaving."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.house.suite.examples import examples
from tests.unit.markers.keeper.interleaving import Interleaving, WithCrashesAndHands, WithoutMarkersEvents


@pytest.mark.slow
@pytest.mark.parametrize("machine", [WithCrashesAndHands, WithoutMarkersEvents])
def test_markers_equal_collections_when_all_events_are_handled(machine: type[Interleaving]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples(200), stateful_step_count=40, suppress_health_check=[HealthCheck.too_slow]
        ),
    )
