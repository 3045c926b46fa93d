"""Every name of an object is recognised as ours, none leads out of its folder, and finished runs come newest first."""

from datetime import UTC, datetime, timedelta

import pytest

from skipscan.environment import KINDS
from skipscan.errors import InputError
from skipscan.loop.layout import Layout, is_own
from skipscan.pace.bill import Amounts
from tests.refusal import refused

LAYOUT = Layout("skipscan", "Orders", "runs", "nightly", suffix="csv")
STARTED = "2026-11-24T10:00:00+00:00"
NAMES = (
    LAYOUT.plan,
    LAYOUT.manifest,
    LAYOUT.report,
    LAYOUT.unfinished,
    LAYOUT.diff,
    LAYOUT.diff_part("new", 7),
    LAYOUT.part(7, 100_000),
    LAYOUT.part(10_000, 0),
    LAYOUT.checkpoint(7, 3, "a-b"),
    LAYOUT.allotment(7, 3, "a-b", Amounts(1.0, 2.0, 0.000003)),
    LAYOUT.resume("arn"),
    LAYOUT.entry("0123", STARTED),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_recognised_in_full_and_below_its_folder(name: str) -> None:
    assert name.startswith("skipscan/Orders/")
    assert is_own(name)
    assert is_own(name.removeprefix(LAYOUT.root).removeprefix(LAYOUT.of_table))


@pytest.mark.parametrize("name", NAMES)
def test_no_folder_reads_like_a_column(name: str) -> None:
    """Spark, DuckDB and Arrow take `worker=0007` for a column `worker`, and prefer it to an attribute of that name."""
    assert "=" not in name


@pytest.mark.parametrize(
    "name", ["notes.txt", "keys/part-00000.csv", "keys/worker-07/part-00000.csv", "plan.json.bak", "my-plan.json"]
)
def test_another_name_is_not(name: str) -> None:
    assert not is_own(name)


@pytest.mark.parametrize(
    ("noun", "folder"), [("run", "runs"), ("act", "acts"), ("retrofit", "retrofits"), ("copy", "copies")]
)
def test_the_results_of_each_kind_lie_where_other_versions_look_for_them(noun: str, folder: str) -> None:
    assert KINDS[noun].layout("skipscan", "Orders", "nightly").root == f"skipscan/Orders/{folder}/nightly/"


def test_amounts_are_in_the_name_of_an_allotment_in_millionths_of_dollars() -> None:
    assert LAYOUT.allotment(7, 3, "a", Amounts(12.0, 3.0, 0.25)).endswith("worker-0007/batch-00003-a-12-3-250000")


def test_a_part_tells_its_worker_and_batch_and_nothing_else_does() -> None:
    assert LAYOUT.worker_and_batch(LAYOUT.part(7, 12)) == (7, 12)
    assert LAYOUT.worker_and_batch(LAYOUT.checkpoint(7, 12, "a")) is None
    assert LAYOUT.worker_and_batch(f"{LAYOUT.part(7, 12)}/more") is None


def test_the_run_that_began_last_is_listed_first() -> None:
    begun = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(milliseconds=step) for step in (0, 1, 10**6, 10**11)]
    entries = [LAYOUT.entry("0123", moment.isoformat()) for moment in begun]
    assert sorted(entries) == entries[::-1]


def test_another_account_s_table_has_a_folder_of_its_own() -> None:
    theirs = Layout("skipscan", "Orders", "runs", "nightly", owner="@222222222222-us-east-1")
    assert theirs.of_table == "skipscan/Orders@222222222222-us-east-1/"
    assert not theirs.root.startswith(LAYOUT.of_table)


@pytest.mark.parametrize(
    ("table", "name", "field", "value"),
    [
        ("../Orders", "nightly", "table", "../Orders"),
        ("Orders", "..", "the execution's name", ".."),
        ("Orders", "a/b", "the execution's name", "a/b"),
    ],
)
def test_a_name_that_would_lead_elsewhere_is_refused(table: str, name: str, field: str, value: str) -> None:
    with refused(InputError, field, value, rule="^it becomes the name of a folder on S3 and "):
        Layout("skipscan", table, "runs", name)
