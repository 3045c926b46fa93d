"""`stop`, where several pieces of work run."""

import json

import pytest

from tests.unit.cli.place import Place

pytestmark = pytest.mark.slow


def test_stop_asks_which_where_several_run(place: Place) -> None:
    runs = sorted([place.start(), place.start()])
    done = place.skipscan("stop", "Orders")
    assert (done.status, f"choose one by name and --kind: run {runs[0]}, run {runs[1]}" in done.stderr) == (1, True)
    printed = json.loads(place.skipscan("stop", "Orders", runs[1], "--json").stdout)
    assert printed == {"table": "Orders", "kind": "run", "run": runs[1], "stopped": [runs[1]]}
