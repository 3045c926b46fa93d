"""The report of a listing as data: its facts, figures, bill and files."""

from dataclasses import replace
from pathlib import Path

import pytest

from skipscan import form
from skipscan.inputs.quantities import counted, multiple, units
from skipscan.listing.estimate.offer import FIRST_ITEM, FULL
from skipscan.report.bill import TIMES
from skipscan.report.listing import NAMES, listing
from skipscan.report.record import WorkRecord
from skipscan.report.segment_spread import length_spread
from skipscan.report.ways import report_figures, ways
from skipscan.scan.plan import Only
from skipscan.scan.take import read_take
from tests.unit.report.elements import aloud, answer, links
from tests.unit.report.made_up_run import read_run

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]


@pytest.fixture(scope="module")
def record(throttled: Path) -> WorkRecord:
    return read_run(throttled)


def test_a_run_is_shown_beside_the_ways_that_its_plan_compared(record: WorkRecord) -> None:
    shown = [name for _, name in NAMES.values() if f">{name}<" in listing(record)]
    assert shown == [name for _, name in NAMES.values()]
    assert [way["measured"] for way in report_figures(record)["ways"]] == [True, False, False]
    _, first, _ = ways(record)
    _, of_short_batches, _ = ways(replace(record, batches_committed=record.counts.requests))
    assert of_short_batches.bill.step_functions > 100 * first.bill.step_functions
    slow = {**record.document, "plan": form.write(replace(record.plan, max_read_units_per_second=1))}
    _, as_fast_as_ours, _ = ways(replace(record, document=slow))
    assert as_fast_as_ours.bill.lambda_ < 10 * first.bill.lambda_, "400 read units a second, not one"


def test_how_many_items_a_group_has_is_said_of_those_that_were_listed(record: WorkRecord) -> None:
    take = read_take("take", {"items": "all", "beyond": 1_500})
    sizes = replace(record.digest, lengths=length_spread({1: 6}, {}))
    document = {**record.document, "plan": form.write(replace(record.plan, take=take))}
    beyond = replace(record, digest=sizes, document=document)
    said = " has 1 item beyond the first 1,500 in the order."
    assert [listing(one).count(said) for one in (beyond, record)] == [1, 0]


def test_the_page_of_given_keys_says_that_the_run_lists_no_others(record: WorkRecord) -> None:
    document = {**record.document, "plan": form.write(replace(record.plan, only=Only("0" * 32, 13)))}
    of_keys = replace(record, document=document)
    assert ["Only: 13 given keys" in listing(one) for one in (of_keys, record)] == [True, False]


def exactly(number: float) -> dict[str, float]:
    return dict.fromkeys(("estimate", "low", "high"), number)


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (0.5, "50 % of that"),
        (0.94, "94 % of that"),
        (0.96, "about as many"),
        (1.04, "about as many"),
        (1.06, "1.1 times as many"),
        (30.0, "30 times as many"),
    ],
)
def test_a_full_scan_is_compared_and_called_a_saving_only_if_there_is_one(
    factor: float, said: str, record: WorkRecord
) -> None:
    read, of_segments = record.counts.read_units, record.plan.segments * record.plan.step_units
    full = {"strategy": FULL, "read_units": exactly(factor * read), "requests": exactly(7), "basis": "described"}
    first = exactly((3 * read - of_segments) / record.done)
    explanation = {**record.document["explanation"], "strategies": [full], "first_item_read_units": first}
    page = listing(replace(record, document={**record.document, "explanation": explanation}))
    start = f"{counted(record.done, 'distinct partition key')} for {units(read)} read units in "
    assert answer(page).startswith(start)
    compared = f"By estimate, a full scan would have consumed {said} and a skip scan with Limit=1 would have consumed "
    compared += "3.0 times as many."
    assert answer(page).partition(" s. ")[2] == compared
    number = f"{multiple(factor)} {TIMES} fewer read units than a full scan, by estimate"
    assert (number in aloud(page)) is (factor > 1.05)
    assert ("a million such keys" in page) is (factor > 1.05)


def test_a_complete_run_is_the_last_of_those_that_listed_the_same(throttled: Path, stopped: Path) -> None:
    before = {"run": "earlier", "started": "2026-10-01T03:00:00+00:00", "keys": 1, "dollars": {"total": 3.0}}
    runs = [{**before, "read_units": 2.0, "seconds": 4.0}]
    complete, unfinished = (listing(read_run(folder), earlier=runs) for folder in (throttled, stopped))
    assert "8,000 keys, 7,999 more than in the run before." in complete
    assert "the run before" not in unfinished + listing(read_run(throttled))


def test_a_run_in_a_bucket_links_to_its_manifest(record: WorkRecord) -> None:
    found = links(listing(replace(record, folder="s3://results/run-1/")))
    assert found["manifest.json"].endswith("prefix=run-1%2Fmanifest.json")


def test_a_run_that_is_not_complete_is_compared_with_no_other_way(stopped: Path) -> None:
    found = report_figures(read_run(stopped))
    assert [way["way"] for way in found["ways"]] == ["Skipscan"]
    assert found["ways"][0]["read_unit_dollars"] is None, "provisioned capacity is billed by the hour"
    assert (found["complete"], found["segments"]) == (False, 32)
    assert 0 < found["segments_left"] <= 32


@pytest.mark.parametrize(("item_bytes", "pages"), [(100, 1), (4_096, 1), (5_000, 2)])
def test_without_a_sample_first_items_are_taken_to_be_of_average_size(
    item_bytes: int, pages: int, record: WorkRecord
) -> None:
    described = {"items": 10, "size_bytes": 10 * item_bytes, "read_capacity_units": None}
    document = {name: value for name, value in record.document.items() if name != "explanation"}
    compared = {way.name: way for way in ways(replace(record, document={**document, "facts": described}))}
    step, first = record.plan.step_units, compared[FIRST_ITEM]
    assert first.units.estimate == pytest.approx((pages * record.done + record.plan.segments) * step)
    assert first.requests.estimate == record.done + record.plan.segments
    assert first.basis.endswith("first items of average size")
