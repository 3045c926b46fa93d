"""The page about a job of any kind, from its plan, its manifest and its checkpoints."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from skipscan.act.actions.delete_item import DeleteItem
from skipscan.act.actions.put_item import PutItem
from skipscan.copy.item import CopyCounts
from skipscan.items.progress import ItemPosition
from skipscan.loop.finish import manifest
from skipscan.loop.kind import progress_to_json
from skipscan.loop.results import Results, indented
from skipscan.pace.profile import BatchProfile
from skipscan.pace.progress import Progress
from skipscan.report.page import Report, html_page
from skipscan.report.record import read_work
from skipscan.report.work import drawn, job
from skipscan.stored.stored_work import StoredWork
from tests.fakes.small_table import copy_plan
from tests.unit.loop.test_proof import NAMED, ROWS, WHOLE, Whole

JOBS = [kind for kind in WHOLE if kind != "listing"]
STARTED = datetime.fromisoformat(NAMED.started)


class Kept:
    """A storage that holds what it was given."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def get(self, name: str) -> bytes | None:
        return self.objects.get(name)

    def uri(self, name: str) -> str:
        return f"s3://results/{name}"

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        return ((name, STARTED) for name in sorted(self.objects) if name.startswith(prefix))


def of(kind: str, *, whole: Whole | None = None, ends: bool = True, **more: Any) -> Results:
    """Return the results of a job whose first worker had two batches, and its second one."""
    whole, kept = whole or WHOLE[kind], Kept()
    followed = whole.kind.followed(whole.plan)
    layout = whole.kind.layout("skipscan", "Table", "run-1")
    work = whole.kind.new_work(NAMED, whole.plan)
    kept.objects[layout.plan] = json.dumps(work.to_json()).encode()
    counts = whole.reached[0].counts + whole.reached[1].counts
    if ends:
        document = {**manifest(whole.kind, work, ROWS, counts, whole.reached), **more}
        kept.objects[layout.manifest] = indented(document)
    for worker, batch in ((0, 0), (0, 1), (1, 0)):
        reached = whole.reached[worker]
        if (worker, batch) == (0, 0):
            reached = replace(reached, batch=1, counts=replace(reached.counts, **{followed: 2}))
        profile = profiled(whole.kind.default_count, reached.counts, worker)
        started_at = (STARTED + timedelta(seconds=1 + batch)).isoformat()
        checkpoint = {
            **progress_to_json(reached, whole.plan),
            "attempt": "a",
            "profile": {"began": started_at, "seconds": 1.0, **profile},
        }
        kept.objects[layout.checkpoint(worker, batch, "a")] = json.dumps(checkpoint).encode()
        kept.objects[layout.part(worker, batch)] = b""
    return Results(cast(Any, kept), layout)


def profiled(headline: str, counts: Any, worker: int) -> dict[str, Any]:
    profile = BatchProfile(headline)
    profile.reached(0.5, counts)
    profile.worked(0.5, worker, done=2, requests=3, units=4.5)
    profile.worked(0.9, worker + 2, done=1, requests=1, units=0.5)
    return profile.to_json()


def stored(kind: str, results: Results) -> StoredWork:
    return StoredWork(WHOLE[kind].kind, replace(results, shows_attempts=False))


def drawn_of(kind: str, results: Results) -> Report:
    return drawn(read_work(stored(kind, results)))


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (
            PutItem.parse({"item": {"sk": "#größe", "größe": "{pk}"}, "overwrite": True}),
            'put_item {"item": {"sk": "…", "größe": "{pk}"}, "overwrite": true}',
        ),
        (
            DeleteItem.parse({"key": {"sk": "#static"}, "if": {"owner": "a person"}}),
            'delete_item {"key": {"sk": "…"}, "if": ["owner"]}',
        ),
        (DeleteItem.parse({"key": {"sk": "#static"}}), 'delete_item {"key": {"sk": "…"}}'),
    ],
)
def test_a_job_over_keys_shows_names_and_templates_and_no_value(action: Any, said: str) -> None:
    whole = replace(WHOLE["act"], plan=replace(WHOLE["act"].plan, action=action, skips_ended=True))
    facts = {one.title: one.words for one in drawn_of("act", of("act", whole=whole)).figures}
    assert (facts["Action"], facts["Ended item collections"]) == (said, "skipped")


def test_a_retrofit_names_what_it_removed() -> None:
    whole = WHOLE["retrofit"]
    whole = replace(whole, plan=replace(whole.plan, templates={}, removes=("old", "older")))
    facts = {one.title: one.words for one in drawn_of("retrofit", of("retrofit", whole=whole)).figures}
    assert facts["Removed attributes"] == "old and older"
    assert "Separator in a source" not in facts


def test_a_job_that_only_compares_shows_what_it_compared() -> None:
    plan, counts = (
        copy_plan(4, 2, verify=True, compare_only=True),
        CopyCounts(compared=8, missing=1, listed=1, read_units=4.0),
    )
    reached = [Progress(number, ItemPosition(4), counts, batch=2 - number) for number in (0, 1)]
    drawn = drawn_of("copy", of("copy", whole=replace(WHOLE["copy"], plan=plan, reached=reached)))
    html = html_page(drawn, datetime.now(UTC))
    assert drawn.answer.startswith("16 compared items in ")
    assert drawn.answer.endswith(": 2 missing, 0 surplus, 0 different.")
    assert "Complete: all 16 compared items are accounted for" in html
    assert "Capacity units per second" in html
    assert "Items processed" not in html


@pytest.mark.parametrize("kind", JOBS)
def test_estimates_without_an_interval_are_not_said_to_miss_it(kind: str) -> None:
    html = html_page(job(stored(kind, of(kind, estimated={"dollars": 0.5, "requests": 12}))), datetime.now(UTC))
    assert "The plan of this work has no confidence intervals." in html
    assert " processed</p>" in html
    assert "Strip: " not in html
    assert "Within the 95 %" not in html
    missed = of(kind, estimated={"dollars": 0.5, "requests": {"estimate": 1_200, "low": 1_000, "high": 2_000}})
    if kind == "act":  # the others made no requests
        assert "confidence interval: none. Outside: requests." in html_page(
            job(stored(kind, missed)), datetime.now(UTC)
        )


def test_units_that_the_manifest_rounded_to_nothing_are_not_shown_as_free() -> None:
    counts = CopyCounts(items=1, copied=1, read_units=1.0)
    reached = [Progress(number, ItemPosition(4), counts, batch=2 - number) for number in (0, 1)]
    results = of("copy", whole=replace(WHOLE["copy"], reached=reached))
    assert json.loads(results.storage.get(results.layout.manifest) or b"")["dollars"]["units"] == 0
    notes = {one.name: one.note for one in drawn_of("copy", results).figures}
    assert notes["dollars"] == "the whole bill, of which <$0.000001 for units"
