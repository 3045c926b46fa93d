"""The example that trims on a schedule: it deletes what its own run listed, and nothing after a run that failed."""

import json
from pathlib import Path
from typing import Any

from skipscan.act.actions.delete_listed import WHOLE_ITEMS, DeleteListed
from skipscan.act.input import parse_action
from skipscan.listing.execution_input import parse

EXAMPLE = json.loads(Path("examples/nightly-trim.json").read_text())
CONTEXT = {"$$.Execution.Name": "night-1", "$$.Execution.Id": "arn:execution"}


def begun(state: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the input of the execution that a state starts, and waits for."""
    task = EXAMPLE["States"][state]
    # `.sync:2` fails with the execution, and without a Catch the machine does so too.
    assert task["Resource"] == "arn:aws:states:::states:startExecution.sync:2"
    assert task.keys() == {"Type", "Resource", "Parameters", "Next" if state == "List" else "End"}
    parameters = task["Parameters"]
    made = {n.removesuffix(".$"): CONTEXT[v] if n.endswith(".$") else v for n, v in parameters["Input"].items()}
    return CONTEXT[parameters["Name.$"]], made


def test_it_deletes_exactly_what_its_run_listed() -> None:
    run, listed = begun(EXAMPLE["StartAt"])
    asked = parse(listed)
    assert {name: listed[name] for name in WHOLE_ITEMS} == {**WHOLE_ITEMS, "take": listed["take"]}
    assert (asked.take.beyond, asked.take.descends, asked.dry_run) == (5, True, False)
    _, deleted = begun(EXAMPLE["States"][EXAMPLE["StartAt"]]["Next"])
    act = parse_action(deleted)
    assert (act.table, act.run, act.dry_run) == (asked.table, run, False)
    assert isinstance(act.action, DeleteListed)
    assert act.action.max_deletes
