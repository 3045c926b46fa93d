"""The rows of a piece of work, and what a line, a board and a page choose of them."""

from dataclasses import replace
from datetime import timedelta

from skipscan.copy.item import CopyCounts
from skipscan.environment import KINDS
from skipscan.inputs.quantities import stamp
from skipscan.pace.bill import Bill
from skipscan.scan.progress import ScanCounts
from skipscan.stored.figures import Figure, chosen, figures, figures_to_json, line, of_counts, of_limits
from skipscan.stored.moment import Moment
from tests.fakes.small_table import copy_plan
from tests.unit.environment.test_status import BEGUN, explained, reached
from tests.unit.environment.test_status import RUN as PLANNED
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


UNDER_WAY = """
count | keys | 100 | measured, each key once
units | read units | 8 | measured, in 0 requests
counts | throttled | 0 of 0 requests |
bill | dollars | $0.00033 | the whole bill, of which $0.000001 for units
services | read units | $0.000001 | measured units at a dated price
services | Lambda | $0.000054 | measured by the workers; Plan and Finish estimated
services | Step Functions | $0.000250 | counted by the workers; the rest of the machine estimated
services | S3 | $0.000023 | requests counted by the workers; those of Plan and Finish estimated
time | time | 1 min 10 s | so far, with 2 workers
when | started | 2026-01-01 00:00:00 UTC |
speed | speed | 1.7 keys a second |
now | expected | 400 | by the plan
now | estimated end | 2026-01-01 00:02:51 UTC | in 1 min 41 s
progress | segments | 3 of 10 done |
progress | workers | 2 |
work | table | Orders |
work | execution | arn |
how | partition key | pk (S) |
how | strategy | skip, optimize: balanced |
how | reads | eventually consistent |
how | format | jsonl |
how | DescribeTable | 2 items, 3.0 KB | up to six hours old
limits | rate | no limit |
limits | budget | no limit |
"""
FINISHED = """
bill | dollars | $3.00 | the whole bill, of which $1.00 for units
services | read units | $1.00 | measured units at a dated price
services | Lambda | $2.00 | measured by the workers; Plan and Finish estimated
time | time | 1 min 20 s | measured, with 2 workers
when | started | 2026-01-01 00:00:00 UTC |
when | finished | 2026-01-01 00:01:20 UTC |
speed | speed | 1.2 keys a second |
progress | segments | 10 of 10 done |
progress | workers | 2 |
limits | rate | no limit | until it was resumed
limits | budget | no limit | until it was resumed
made | Skipscan | 0.2.0 |
"""


def rows(found: list[Figure]) -> list[str]:
    """Return what people see, with the group by which views choose."""
    return [" | ".join((one.group, one.heading, one.words, one.note)).strip() for one in found if one.words]


def test_the_rows_of_work_say_everything_about_it_in_their_order() -> None:
    described = {**RUN.document, "facts": {"items": 2, "size_bytes": 3000}}
    now = BEGUN + timedelta(seconds=70)
    assert rows(figures(replace(RUN, document=described), None, now)) == UNDER_WAY.strip().splitlines()
    dollars = Bill(read_units=1.0, lambda_=2.0).to_json()
    complete = {"complete": True, "keys": 100, "segments_left": 0}
    ending = {**ENDING, **complete, "skipscan_version": "0.2.0", "dollars": dollars}
    found = rows(figures(replace(RUN, ending=ending, resumes=1)))
    shown = {"bill", "services", "time", "when", "speed", "now", "progress", "limits", "made"}
    assert [row for row in found if row.partition(" | ")[0] in shown] == FINISHED.strip().splitlines()
    assert "now | expected | 350 | last time" in rows(figures(replace(RUN, document=PLANNED.to_json(), previous=350)))


def test_what_is_nothing_is_for_programs_alone() -> None:
    found = figures(RUN)
    assert figures_to_json(found)["skips_ignored"] == figures_to_json(found)["lookups"] == 0
    assert [one.title for one in chosen(found, "counts")] == ["Throttled"]
    assert [one.words for one in chosen(found, "counts")] == ["0 of 0 requests"]


def test_what_a_run_met_is_said_in_words() -> None:
    met = ScanCounts(items=7, requests=1_000, lookups=30, ended=2, skips_ignored=1, throttles=3)
    assert [(one.heading, one.words) for one in chosen(of_counts(met, "keys", "keys"), "counts")] == [
        ("items evaluated", "7"),
        ("segments where the engine ignored skips", "1"),
        ("queries for items taken", "30"),
        ("emptied meanwhile", "2"),
        ("throttled", "3 of 1,003 requests"),
    ]
    copied = CopyCounts(items=9, copied=1, present=2, differing=3, refused=4, unset=5, conflicts=6)
    said = [str(one) for one in chosen(of_counts(copied, "items", "items"), "outcomes", "counts")]
    became = ("1 copied", "2 present already", "3 left to the replicator", "4 refused", "5 without the attribute")
    assert tuple(said[:5]) == became


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
