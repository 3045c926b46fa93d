"""The rows of a piece of work, and what a line, a board and a page choose of them."""

from dataclasses import replace
from datetime import timedelta

from skipscan.environment import KINDS
from skipscan.inputs.quantities import stamp
from skipscan.pace.bill import Bill
from skipscan.stored.figures import chosen, figures, figures_to_json, line, of_counts, of_limits, services
from skipscan.stored.moment import Moment
from tests.fakes.small_table import copy_plan
from tests.unit.environment.test_status import BEGUN, explained, reached
from tests.unit.stored.test_moment import moment

RUN = moment(explained(keys=400, minutes=9), reached(0, opened=4, under_way=1, keys=100, read_units=8.0))

ENDING = {"seconds": 80.0, "finished": "2026-01-01T00:01:20Z", "segments_left": 4, "dollars": Bill().to_json()}


def test_a_line_says_each_figure_with_its_noun() -> None:
    now = BEGUN + timedelta(seconds=70)
    end = stamp((BEGUN + timedelta(seconds=171)).isoformat())
    assert line(figures(RUN, None, now), "time", "count", "units", "speed", "progress", "now") == [
        *("1 min 10 s", "100 keys", "8 read units", "speed 1.7 keys a second"),
        *("segments 3 of 10 done", "workers 2", "expected 400", f"estimated end {end}"),
    ]
    one = replace(RUN.counts, keys=1, read_units=1.0)  # type: ignore[call-arg]
    assert line(of_counts(one, "keys", "groups"), "count", "units") == ["1 group", "1 read unit"]


def test_a_duration_says_how_it_is_known_and_an_end_whether_it_is_one() -> None:
    stopped, ended = (replace(RUN, ending={**ENDING, "complete": complete}) for complete in (False, True))
    known = [chosen(figures(one), "time")[0].note for one in (RUN, stopped)]
    known += [chosen(figures(RUN, None, BEGUN + timedelta(seconds=70)), "time")[0].note]
    assert known == ["until the newest commit, with 2 workers", "measured, with 2 workers", "so far, with 2 workers"]
    assert [chosen(figures(one), "when")[1].title for one in (stopped, ended)] == ["Stopped", "Finished"]


def test_an_ending_says_what_each_service_took_and_which_version_it_was() -> None:
    bill = Bill(read_units=1.0, lambda_=2.0)
    ending = {**ENDING, "complete": True, "skipscan_version": "0.2.0", "dollars": bill.to_json()}
    found = figures(replace(RUN, ending=ending))
    said = [(one.heading, one.words) for one in chosen(found, "services", "made")]
    assert said == [("read units", "$1.00"), ("Lambda", "$2.00"), ("Skipscan", "0.2.0")]


def test_what_is_nothing_is_for_programs_alone() -> None:
    found = figures(RUN)
    assert figures_to_json(found)["skips_ignored"] == figures_to_json(found)["lookups"] == 0
    assert [one.title for one in chosen(found, "counts")] == ["Throttled"]
    assert [one.words for one in chosen(found, "counts")] == ["0 of 0 requests"]


def test_the_part_that_is_done_has_four_digits() -> None:
    found = moment(explained(keys=700, minutes=9), reached(0, opened=4, under_way=1, keys=234))
    assert figures_to_json(figures(found))["part_done"] == 0.35
    found = moment(explained(keys=300, minutes=9), reached(0, opened=4, under_way=1, keys=200))
    assert figures_to_json(figures(found))["part_done"] == 0.6667


def test_limits_are_said_with_their_units_and_none_as_such() -> None:
    fields = {"max_read_units_per_second": 7.0, "max_keys_per_second": 1.0, "max_dollars": 2.0}
    said = [(one.heading, one.words, one.note) for one in of_limits(fields, "first", {"read_units": 1.0})]
    assert said == [
        ("rate", "at most 7 read units per second and 1 key per second", "first"),
        ("budget", "at most $2.00", "first"),
        ("overrun", "a budget can be exceeded by 1 read unit", ""),
    ]
    assert [one.words for one in of_limits({})] == ["no limit", "no limit"]
    budgets = of_limits({"max_read_units": 5.0, "max_write_units": 6.0})
    assert [one.words for one in budgets] == ["no limit", "at most 5 read units and 6 write units"]


def test_a_budget_of_what_a_job_reads_is_shown_too() -> None:
    kind = KINDS["copy"]
    document = kind.new_work(RUN.work.execution, copy_plan(max_dollars=2.0)).to_json()
    found = chosen(figures(Moment(kind, BEGUN, document)), "limits")
    assert [one.words for one in found] == ["no limit", "at most $2.00"]


def test_a_bill_is_split_into_what_is_not_free() -> None:
    bill = Bill(read_units=1.0, write_units=2.0, lambda_=3.0, s3=5.0)
    found = [(label, dollars) for label, dollars, _ in services(bill)]
    assert found == [("write units", 2.0), ("read units", 1.0), ("Lambda", 3.0), ("S3", 5.0)]
