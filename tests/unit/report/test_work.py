"""The page about a job of any kind, from its plan, its manifest and its checkpoints."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, cast

import pytest

from skipscan.act.actions.delete_item import DeleteItem
from skipscan.act.actions.put_item import PutItem
from skipscan.aws.bucket import Bucket
from skipscan.copy.item import CopyCounts
from skipscan.items.progress import ItemPosition
from skipscan.loop.finish import manifest
from skipscan.loop.kind import progress_to_json
from skipscan.loop.results import Results, indented
from skipscan.pace.profile import BatchProfile
from skipscan.pace.progress import Progress
from skipscan.report.record import read_work
from skipscan.report.ways import job_figures
from skipscan.report.work import drawn, job
from skipscan.stored.figures import figures, figures_to_json
from skipscan.stored.stored_work import StoredWork
from tests.fakes.s3 import FakeS3
from tests.fakes.small_table import copy_plan
from tests.unit.loop.test_proof import NAMED, ROWS, WHOLE, Whole
from tests.unit.report.elements import aloud, answer, figures_on, parsed, tables
from tests.unit.report.faults import faults

JOBS = [kind for kind in WHOLE if kind != "listing"]
STARTED = datetime.fromisoformat(NAMED.started)
ENDED: Any = {"finished": (STARTED + timedelta(seconds=80)).isoformat(), "seconds": 80.0}


def of(kind: str, *, whole: Whole | None = None, ends: bool = True, **more: Any) -> Results:
    """Return the results of a job whose first worker had two batches, and its second one."""
    whole, kept = whole or WHOLE[kind], Bucket(cast(Any, FakeS3("results")), "results")
    followed = whole.kind.followed(whole.plan)
    layout = whole.kind.layout("skipscan", "Table", "run-1")
    work = whole.kind.new_work(NAMED, whole.plan)
    kept.put(layout.plan, json.dumps(work.to_json()).encode())
    counts = whole.reached[0].counts + whole.reached[1].counts
    if ends:
        document = {**manifest(whole.kind, work, ROWS, counts, whole.reached), **more}
        kept.put(layout.manifest, indented(document))
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
        kept.put(layout.checkpoint(worker, batch, "a"), json.dumps(checkpoint).encode())
        kept.put(layout.part(worker, batch), b"")
    return Results(kept, layout)


def profiled(headline: str, counts: Any, worker: int) -> dict[str, Any]:
    profile = BatchProfile(headline)
    profile.reached(0.5, counts)
    profile.worked(0.5, worker, done=2, requests=3, units=4.5)
    profile.worked(0.9, worker + 2, done=1, requests=1, units=0.5)
    return profile.to_json()


def stored(kind: str, results: Results) -> StoredWork:
    return StoredWork(WHOLE[kind].kind, replace(results, shows_attempts=False))


def drawn_of(kind: str, results: Results) -> str:
    return drawn(replace(read_work(stored(kind, results)), at=STARTED))


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
    facts = figures_on(drawn_of("act", of("act", whole=whole)))
    assert (facts["Action"], facts["Ended item collections"]) == (said, "skipped")


def test_a_retrofit_names_what_it_removed() -> None:
    whole = WHOLE["retrofit"]
    whole = replace(whole, plan=replace(whole.plan, templates={}, removes=("old", "older")))
    facts = figures_on(drawn_of("retrofit", of("retrofit", whole=whole)))
    assert facts["Removed attributes"] == "old and older"
    assert "Separator in a source" not in facts


def test_a_job_that_only_compares_shows_what_it_compared() -> None:
    plan, counts = (
        copy_plan(4, 2, verify=True, compare_only=True),
        CopyCounts(compared=8, missing=1, listed=1, read_units=4.0),
    )
    reached = [Progress(number, ItemPosition(4), counts, batch=2 - number) for number in (0, 1)]
    html = drawn_of("copy", of("copy", whole=replace(WHOLE["copy"], plan=plan, reached=reached)))
    assert answer(html).startswith("16 compared items in ")
    assert answer(html).endswith(": 2 missing, 0 surplus, 0 different.")
    assert "Complete: all 16 compared items are accounted for" in html
    assert "Capacity units per second" in html
    assert "Items processed" not in html


@pytest.mark.parametrize("kind", JOBS)
def test_estimates_without_an_interval_are_not_said_to_miss_it(kind: str) -> None:
    html = job(stored(kind, of(kind, estimated={"dollars": 0.5, "requests": 12})))
    assert "The plan of this work has no confidence intervals." in html
    assert " processed</p>" in html
    assert "Strip: " not in html
    assert "Within the 95 %" not in html
    missed = of(kind, estimated={"dollars": 0.5, "requests": {"estimate": 1_200, "low": 1_000, "high": 2_000}})
    if kind == "act":  # the others made no requests
        assert "confidence interval: none. Outside: requests." in job(stored(kind, missed))


def test_estimates_stand_beside_what_came_in_the_units_that_fit() -> None:
    estimated = {"keys": {"estimate": 20, "low": 5, "high": 40}, "requests": None, "minutes": 1.0, "dollars": 0.5}
    of_ten, of_more = (
        tables(parsed(drawn_of("act", of("act", estimated=estimated, **{**ENDED, "seconds": seconds}))))
        for seconds in (600.0, 720.0)
    )
    rows = of_ten["Estimate and actual, with intervals"][1:]
    assert [row[:4] for row in rows] == [
        ["keys", "20", "5 to 40", "10"],
        ["seconds", "60", "none", "600"],
        ["dollars", "$0.50000", "none", "$0.00033"],
    ]
    assert of_more["Estimate and actual, with intervals"][2] == ["minutes", "1", "none", "12", "no interval"]


def test_units_that_the_manifest_rounded_to_nothing_are_not_shown_as_free() -> None:
    counts = CopyCounts(items=1, copied=1, read_units=1.0)
    reached = [Progress(number, ItemPosition(4), counts, batch=2 - number) for number in (0, 1)]
    results = of("copy", whole=replace(WHOLE["copy"], reached=reached))
    assert json.loads(results.storage.get(results.layout.manifest) or b"")["dollars"]["units"] == 0
    dollars = figures_on(drawn_of("copy", results))["dollars"]
    assert dollars.endswith(" the whole bill, of which <$0.000001 for units")


@pytest.mark.parametrize("kind", WHOLE)
def test_every_figure_that_people_see_stands_on_the_page_and_nothing_lacks_its_words(kind: str) -> None:
    record = read_work(stored(kind, of(kind, **ENDED)))
    html = drawn(record)
    assert faults(html) == []
    shown, found = list(figures_on(html).items()), [one for one in figures(record) if one.words]
    top = ["count", "units", "bill", "time"]
    below = ["work", "request", "when", "progress", "how", "limits", "counts", "proved", "made"]
    assert shown == [
        *((one.heading, f"{one.words} {one.note}") for group in top for one in found if one.group == group),
        *(
            (one.title, f"{one.words}, {one.note}".removesuffix(", "))
            for group in below
            for one in found
            if one.group == group
        ),
    ]
    bill = [line for line in aloud(html) if line.endswith(("; Plan and Finish estimated", "machine estimated"))]
    assert [line.partition(":")[0] for line in bill] == ["Lambda", "Step Functions"]
    stated, told = figures_to_json(figures(record)), job_figures(record)
    assert {name: value for name, value in told.items() if name in stated} == {
        name: stated[name] for name in told if name in stated
    }
    named = {
        "kind": record.kind.label,
        record.kind.label: "run-1",
        "complete": True,
        "seconds": 80.0,
        "workers": 2,
        "batches": 3,
    }
    assert {name: value for name, value in told.items() if name not in stated} == {**named, "table": subject_of(html)}
    assert stated.keys() - told.keys() == {"per_second", "expected", "part_done", "estimated_end", "committed"}


def subject_of(html: str) -> str:
    return next(each.text for each in parsed(html).all("h1"))


def test_the_page_of_a_job_reads_from_what_was_asked_to_what_it_is_made_of() -> None:
    said = aloud(drawn_of("act", of("act", **ENDED)))
    assert said[:6] == [
        *("Skip to the pictures", "Skipscan report", "T", "Act run-1"),
        'Run: run-1. Action: send {"queue": "arn:aws:sqs:us-east-1:123456789012:keys", "keys_per_message": 1}',
        "Complete: all 10 keys are accounted for",
    ]
    order = [
        "10 keys in 1 min 20 s for $0.00033: 10 failed.",
        "failed/ has 10 lines: what was not done, or is not right, and why.",
        "What it cost",
        "This act measured | 0 | 13 | $0.00033 | $0",
        "What the $0.00033 pays for",
        "How it went",
        "Keys processed",
        "worker | keys | write units | requests | throttled | batches | at work | ended after",
        "Facts",
    ]
    assert [line for line in said if line in order] == order
    below = said[said.index("Facts") :]
    assert [line.partition(":")[0] for line in below[:13]] == [
        *("Facts", "Table", "Execution", "Run", "Action", "Started", "Finished", "Slices", "Workers", "Rate", "Budget"),
        *("Throttled", "Skipscan"),
    ]
    assert below[13:-1] == [
        "Parts and their checksums",
        "3 parts, 100 B in total.",
        "part | failed | size | SHA-256",
        *(
            f"worker-{part} | {lines} | {lines}0 B | sha"
            for part, lines in (("0/part-0", 3), ("0/part-1", 2), ("1/part-0", 5))
        ),
    ]
    assert below[-1].startswith("Made 2026-01-01 00:00:00 UTC by Skipscan ")
    assert below[-1].endswith(
        " from the results of the act. This page contains no key values and no scripts, and makes no network requests."
    )


@pytest.mark.parametrize(("more", "said"), [(0, []), (1, ["1 request"]), (5, ["5 requests"])])
def test_requests_that_no_checkpoint_shows_are_said_to_be_missing(more: int, said: list[str]) -> None:
    drawn_requests = read_work(stored("act", of("act", **ENDED))).digest.requests
    page = aloud(drawn_of("act", of("act", **ENDED, requests=drawn_requests + more)))
    expired = "of batches whose checkpoints expired. All totals include them."
    assert [line for line in page if "expired" in line] == [f"Not drawn: {missing} {expired}" for missing in said]


def test_a_job_without_an_ending_says_what_is_missing() -> None:
    results = of("act", ends=False)
    said = aloud(drawn_of("act", results))
    assert said[5] == "Not finished: running or stopped. The figures are those of its last checkpoints"
    assert "Finished" not in figures_on("".join(drawn_of("act", results)))
    kept = cast(Any, results.storage).client.objects
    for name in [name for name in kept if "/checkpoints/" in name]:
        del kept[name]
    said = aloud(drawn_of("act", results))
    assert [line for line in said if line.startswith("Progress, workers and segments are missing")]
    assert "Who worked when" not in said
    for name in [name for name in kept if "/failed/" in name]:
        del kept[name]
    assert "No batch is committed yet." in aloud(drawn_of("act", results))
