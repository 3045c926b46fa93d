"""Report: writes the page next to the manifest of finished work, without any key."""

from typing import Any

import pytest

from skipscan.errors import IncompleteRunError, InputError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, Acting
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.handlers.loading import loaded
from tests.refusal import refused

KEYS = {f"secret-{n}" for n in range(7)}


@pytest.fixture(autouse=True)
def reported_table(dynamodb: FakeDynamoDB) -> None:
    schema = KeySchema.of(("pk", "S"), ("sk", "S"))
    table = dynamodb.add(TableDefinition("T-1", schema))
    for key in KEYS:
        for number in range(4):
            table.put({"pk": {"S": key}, "sk": {"S": f"{number}"}})


def reported(machine: Machine, state: str, output: dict[str, Any]) -> tuple[str, str]:
    """Return the address of the page about a finished piece of work, and the page."""
    link = loaded(state, machine.s3).handler(output, CONTEXT)
    [name] = machine.objects("report.html")
    stored = machine.s3.objects[name]
    assert stored.content_type == "text/html; charset=utf-8"
    return link, stored.body.decode()


def test_a_finished_run_has_a_page_without_its_keys(listing: Machine) -> None:
    output = listing.run({"table": "T-1", "segments": 4, "workers": 2})
    link, html = reported(listing, "report", output)
    assert link == "s3://results/skipscan/T-1/runs/run-1/report.html"  # of no execution, so of no partition
    assert html.startswith("<!doctype html>")
    assert "7 distinct partition keys for" in html
    assert "Content-Security-Policy" in html
    assert not [key for key in KEYS if key in html]
    assert reported(listing, "report", output)[0] == link  # another attempt puts it in the place of the first


def test_work_that_is_not_finished_has_no_page(acting: Acting) -> None:
    acting.listing.run({"table": "T-1", "segments": 4, "workers": 2})
    acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "put_item": MARKER, "without_recovery": True})
    with refused(IncompleteRunError, "act job-1", rule="manifest", way="wait"):
        loaded("report_act", acting.s3).handler({"table": "T-1", "act": "job-1"}, CONTEXT)
    with refused(InputError, "the event", rule="sends to Report act;"):
        loaded("report_act", acting.s3).handler({"table": "T-1"}, CONTEXT)
    assert acting.objects("report.html") == []
