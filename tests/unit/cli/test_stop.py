"""`stop`, where several pieces of work run."""

import json

import pytest

from skipscan.errors import NotFoundError
from tests.unit.cli.place import Place

pytestmark = pytest.mark.slow


def test_stop_asks_which_where_several_run(place: Place) -> None:
    runs = sorted([place.start(), place.start()])
    done = place.skipscan("stop", "Orders")
    way = f"--kind: run {runs[0]}, run {runs[1]}"
    done.check_refused(NotFoundError, 'table "Orders"', rule=r"\b2\b.* dev", way=way)
    printed = json.loads(place.skipscan("stop", "Orders", runs[1], "--json").stdout)
    assert printed == {"table": "Orders", "kind": "run", "run": runs[1], "stopped": [runs[1]]}
