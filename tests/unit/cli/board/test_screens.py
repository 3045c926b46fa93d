"""Nothing that a terminal shows is cut, however narrow it is, and all times have one form."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from rich.console import Console, RenderableType

from skipscan import form
from skipscan.cli.board import board, plain, show, status_line
from skipscan.cli.plan_table import plan_table
from skipscan.cli.preview import job_preview
from skipscan.cli.runs_table import Listed
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.environment.status import Execution, State, Status
from skipscan.pace.bill import Bill
from tests.unit.cli.test_preview import PREVIEWS
from tests.unit.environment.test_status import BEGUN, explained, reached, status

NOW = BEGUN + timedelta(seconds=70)
TABLE = "a_table-of.many-words_" * 5 + "the-end"
NAME = "nightly-run-with_a.long-name-" * 2 + "the-end"
INTERVAL = {"estimate": 1_234_567.0, "low": 1_000_000.0, "high": 2_345_678.0}
PLAN: dict[str, Any] = {
    "keys": INTERVAL,
    "choice": {"strategy": "skip scan", "reason": f"Skip index {NAME}.", "segments": 1000, "workers": 100},
    "sample": {"read_units": 20.5, "seed": 7},
    "strategies": [
        {
            "strategy": name,
            "requests": INTERVAL,
            "read_units": INTERVAL,
            "dollars": {"estimate": 0.1234, "units": 0.1111},
            "minutes": 12.3,
        }
        for name in ("skip scan", "skip scan with Limit=1", "full scan")
    ],
    "warnings": [f"index {NAME} is being backfilled"],
    "prices": form.write(US_EAST_1),
}


def a_run(state: State = State.RUNNING) -> Status:
    """Return a run whose names are long, at 0, 50 or 100 % by its state."""
    counted = reached(0, opened=2, keys=123_456_789, read_units=1_234_567.5)
    running = replace(status(explained(keys=300_000_000, minutes=9), counted), table=TABLE, name=NAME, state=state)
    ended = Execution(NAME, "arn", "FAILED", BEGUN, {}, "BudgetError", "the budget is used up")
    return replace(running, execution=ended) if state is State.UNFINISHED else running


SCREENS: dict[str, tuple[Callable[[], RenderableType], str]] = {
    "a board under way": (lambda: board(a_run(), None, NOW), TABLE + "run" + NAME),
    "a board of what ended early": (lambda: board(a_run(State.UNFINISHED), None, NOW), "BudgetError"),
    "a plan": (lambda: plan_table(PLAN), NAME),
    "a preview": (lambda: job_preview("act", {**PREVIEWS["act"], "first_items": [{NAME: "S"}], "table": TABLE}), TABLE),
}


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_cut(screen: str, columns: int) -> None:
    draw, whole = SCREENS[screen]
    console = Console(file=StringIO(), width=columns, force_terminal=True, record=True, highlight=False)
    console.print(draw())
    drawn = console.export_text()
    assert "…" not in drawn, drawn
    assert whole in "".join(drawn.split()), drawn
    assert max(len(text) for text in drawn.splitlines()) <= columns


@pytest.mark.parametrize("columns", [80, 100, 120])
@pytest.mark.parametrize("has_table", [False, True])
def test_a_list_has_one_line_each_with_the_whole_name(columns: int, has_table: bool) -> None:
    shown = [replace(a_run(state), table="Orders", name=f"20261124-0625{n}-9692") for n, state in enumerate(State)]
    console = Console(file=StringIO(), width=columns, force_terminal=True, record=True, highlight=False)
    console.print(Listed(shown, has_table=has_table))
    header, *lines = console.export_text().splitlines()
    assert header.split()[0] == "kind"
    assert [status.name in line and str(status.state) in line for status, line in zip(shown, lines, strict=True)]
    assert all(len(text) <= columns for text in (header, *lines))
    assert [("Orders" in line) for line in lines] == [has_table] * len(lines)


@pytest.mark.parametrize("columns", [80, 100, 120])
@pytest.mark.parametrize("has_table", [False, True])
def test_the_count_in_a_list_is_never_cut(columns: int, has_table: bool) -> None:
    counted = reached(0, opened=2, keys=1_002, read_units=1_234.5)
    run = replace(status(None, counted), table="Orders", name="20261124-062530-9692")
    dry = replace(run, plan={**(run.plan or {}), "dry_run": True}, state=State.PLANNED)
    console = Console(file=StringIO(), width=columns, record=True)
    console.print(Listed([run, dry], has_table=has_table))
    _, line, _ = console.export_text().splitlines()
    assert "  1,002 keys" in line
    assert "…" not in line
    assert not line.endswith(",")


def test_a_list_says_which_work_was_a_dry_run() -> None:
    run = replace(status(None, reached(0, opened=2, keys=1_002)), table="Orders", name="r")
    dry = replace(run, plan={**(run.plan or {}), "dry_run": True}, state=State.PLANNED)
    profile = {"items": None, "keys": INTERVAL, "read_units": 90.5, "dollars": 0.0042, "page": ""}
    profiled = replace(dry, plan={**(dry.plan or {}), "profile": profile}, state=State.PROFILED)
    console = Console(file=StringIO(), width=400, record=True)
    console.print(Listed([run, dry, profiled], has_table=True))
    assert [re.split("  +", line.rstrip()) for line in console.export_text().splitlines()] == [
        ["kind", "table", "name", "state", "started, UTC", "figures"],
        [
            "run",
            "Orders",
            "r",
            "running",
            "2026-01-01 00:00",
            "1,002 keys, $0.00033, estimated end 2026-01-01 00:05:00 UTC",
        ],
        ["run", "Orders", "r", "planned, dry run", "2026-01-01 00:00"],
        [
            "run",
            "Orders",
            "r",
            "profiled",
            "2026-01-01 00:00",
            "1,234,567 (1,000,000 to 2,345,678) keys, $0.0042, 90.5 read units",
        ],
    ]


def test_a_list_and_a_board_show_a_profile_with_its_page() -> None:
    page = "https://example.com/profile.html"
    found = {"items": INTERVAL, "keys": {**INTERVAL, "high": None}, "read_units": 90.5, "dollars": 0.0042}
    profile = {**found, "segments": 400, "segments_read": 12, "advice": ["until is in milliseconds."], "page": page}
    profiled = replace(status({**explained(0, 0), "dry_run": True, "profile": profile}), state=State.PROFILED)
    console = Console(file=StringIO(), width=400, force_terminal=True, highlight=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(Listed([profiled]))
    line = captured.get()
    assert "1,234,567 (1,000,000 to 2,345,678) items, 1,000,000 or more keys, $0.0042, 90.5 read units" in line
    assert f";{page}\x1b" in line
    drawn = " ".join(plain(board(profiled, None, NOW)).split())
    assert "profiled items 1,234,567 (1,000,000 to 2,345,678) keys 1,000,000 or more" in drawn
    assert "segments 12 of 400 read advice until is in milliseconds." in drawn
    assert drawn.endswith(f"profile {page}")
    assert not profiled.has_failed


def test_a_list_knows_what_status_knows() -> None:
    console = Console(file=StringIO(), width=400, record=True)
    found = [a_run(), a_run(State.UNFINISHED)]
    console.print(Listed(found, {id(found[1]): "BudgetError: the budget is used up"}))
    _, running, ended = console.export_text().splitlines()
    assert "123,456,789 keys of about 300,000,000, $" in running
    assert ", 1,234,567.5 read units, " in running
    assert "estimated end 2026-01-01 00:" in running
    assert "BudgetError: the budget is used up" in ended


@pytest.mark.parametrize("columns", [80, 160])
def test_a_name_in_a_list_leads_to_the_report(columns: int) -> None:
    # A console of an old Windows, for which rich takes a process without any, shows no links.
    console = Console(file=StringIO(), width=columns, force_terminal=True, highlight=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(Listed([replace(a_run(), name="monday", report="https://example.com/report.html")]))
    assert re.search(r"\x1b\]8;id=\d+;https://example.com/report.html\x1b\\monday", captured.get())


def test_all_times_have_one_form() -> None:
    console = Console(file=StringIO(), width=400, record=True)
    console.print(board(a_run(), None, NOW))
    shown = console.export_text() + status_line(a_run(), None, NOW)
    stamps = re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", shown)
    assert len(stamps) == len(re.findall(r"\d\d:\d\d", shown)) == 3


def test_a_plan_shows_the_part_for_units_beside_the_whole_bill() -> None:
    assert "Of its $0.12, $0.11 are for read units." in plain(plan_table(PLAN))


def test_a_plan_without_figures_says_so() -> None:
    unknown = {**PLAN, "keys": {"estimate": 0, "low": 0, "high": None}, "strategies": []}
    drawn = plain(plan_table({**unknown, "choice": {**PLAN["choice"], "strategy": None}}))
    assert drawn.startswith("partition keys: not known\n\nSkip index ")


def test_a_way_whose_size_is_not_known_does_not_look_cheap() -> None:
    unknown = {"estimate": 493.4, "low": 8.0, "high": None}
    dollars = {"estimate": 0.00043, "low": 0.000369, "high": None, "units": 0.0}
    ways = [
        {**PLAN["strategies"][0], "dollars": {"estimate": 0.000461, "low": 0.000411, "high": 0.000572, "units": 0.0}},
        {"strategy": "full scan", "requests": unknown, "read_units": unknown, "dollars": dollars, "minutes": 0.1},
        {**PLAN["strategies"][0], "strategy": "export to S3", "dollars": {"estimate": 0.000012, "units": 0.0}},
    ]
    drawn = plain(plan_table({**PLAN, "strategies": ways})).splitlines()
    rows = [line for line in drawn if line.startswith(("skip scan", "full scan", "export to S3"))]
    shown = [next(each for each in row.split() if "$" in each) for row in rows]
    assert shown == ["$0.00046", ">$0.00037", "$0.000012"]


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_a_link_is_one_piece_that_can_be_copied(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = f"s3://a-bucket/skipscan/{TABLE}/runs/{NAME}/manifest.json"
    report = f"https://us-east-1.console.aws.amazon.com/s3/object/a-bucket?region=us-east-1&prefix={TABLE}"
    ended = replace(a_run(State.FINISHED), report=report, manifest_uri=manifest)
    counts = {**vars(ended.counts), "seconds": 1.0, "finished": "2026-01-01T00:01:00Z", "segments_left": 0}
    ended = replace(ended, manifest={**counts, "dollars": Bill().to_json()})
    written = StringIO()
    terminal = Console(file=written, width=columns, force_terminal=True, highlight=False)
    monkeypatch.setattr("skipscan.cli.board.Console", lambda **_: terminal)
    show(board(ended, None, NOW))
    lines = re.sub(r"\x1b(\[[0-9;]*m|\]8;[^\x1b]*\x1b\\)", "", written.getvalue()).splitlines()
    assert f"manifest  {manifest}" in lines
    assert f"report  {report}" in lines


def test_a_plan_shows_half_a_read_unit() -> None:
    half = {"estimate": 0.5, "low": 0.5, "high": 2.5}
    ways = [{**way, "read_units": half} for way in PLAN["strategies"]]
    assert " 0.5 (0.5 to 2.5) " in plain(plan_table({**PLAN, "strategies": ways}))


def test_a_plan_of_a_level_counts_groups() -> None:
    drawn = plain(plan_table(PLAN, "groups"))
    assert re.match(r"[\d,]+ \(.*\) groups\n", drawn)
    assert "way to list the groups" in drawn
    assert "partition keys" not in drawn
    assert re.match(r"[\d,]+ \(.*\) partition keys\n", plain(plan_table(PLAN)))
    one = {"keys": dict.fromkeys(INTERVAL, 1.0)}
    assert plain(plan_table({**PLAN, **one})).startswith("1 partition key\n")
    assert plain(plan_table({**PLAN, **one}, "groups")).startswith("1 group\n")


def test_a_plan_of_items_counts_lines() -> None:
    lines = {"estimate": 70_000, "low": 60_000, "high": 80_000}
    expected = {**PLAN["choice"], "expected": {"keys": lines}}
    assert plain(plan_table({**PLAN, "choice": expected}, "items")).startswith("70,000 (60,000 to 80,000) items\n")
    assert plain(plan_table(PLAN, "items")).startswith("items: not known\n")
