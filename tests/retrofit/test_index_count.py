"""The entries of the index that a retrofit makes complete, held against the items that have its keys."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from local.audit_table import ATTRIBUTE, INDEX
from skipscan.aws import index_count
from skipscan.aws.answer import CutAnswerError, ForeignAnswerError
from tests.retrofit.conftest import Audited, error


def test_the_index_has_as_many_entries_as_items_have_its_keys(audited: Audited) -> None:
    audited.load(60, {"id": {"S": "lacking"}, "resourceId": {"S": "r"}})
    output = audited.retrofit(count_indexes=True)
    counted = output["indexes"][INDEX]
    assert output["verified"] == 66
    assert (output["indexed"], counted["entries"], counted["stopped_by"]) == (65, 65, None)
    (manifest,) = audited.job.objects("manifest.json")
    assert f'"{INDEX}"' in audited.job.read(manifest).decode()


def test_an_entry_that_a_writer_takes_out_behind_the_verification_shows(audited: Audited) -> None:
    audited.load(30)

    def write(name: str, parameters: dict[str, Any]) -> None:
        if name == "scan" and "IndexName" in parameters:
            for id_ in ("111aaa", "111aab"):
                audited.engine.client.delete_item(TableName=audited.table, Key={"id": {"S": id_}})

    audited.engine.before = write
    output = audited.retrofit(count_indexes=True)
    assert output["indexed"] == 35
    assert output["indexes"][INDEX]["entries"] < 35


def test_a_budget_stops_the_count_and_not_the_job(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    # One thread: all pages of the index could be in flight before the first one is counted.
    monkeypatch.setattr(index_count, "ThreadPoolExecutor", lambda _threads, **more: ThreadPoolExecutor(1, **more))
    audited.load(30)
    audited.retrofit("once")
    # Nothing is written any more, so no page is read again because a batch ended before its items were settled.
    needed = audited.retrofit("again")["read_units"]
    output = audited.retrofit("twice", count_indexes=True, max_read_units=needed + 3)
    assert output["verified"] == 35
    assert output["indexes"][INDEX]["entries"] is None
    assert output["indexes"][INDEX]["stopped_by"] == "budget"
    assert output["indexes"][INDEX]["read_units"] <= 3.5  # one page may exceed it


def test_an_error_of_dynamodb_stops_the_count_and_not_the_job(audited: Audited) -> None:
    audited.load(5)

    def deny(name: str, parameters: dict[str, Any]) -> None:
        if "IndexName" in parameters:
            raise error("AccessDeniedException")

    audited.engine.before = deny
    output = audited.retrofit(count_indexes=True)
    assert (output["indexes"][INDEX]["entries"], output["indexes"][INDEX]["stopped_by"]) == (
        None, "AccessDeniedException",
    )  # fmt: skip


def test_an_answer_that_is_no_page_is_asked_for_again(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    audited.load(30)
    monkeypatch.setattr(index_count, "WAIT_SECONDS", 0.0)
    lost = [CutAnswerError("cut"), ForeignAnswerError("of another call")]

    def lose(name: str, parameters: dict[str, Any]) -> None:
        if "IndexName" in parameters and lost:
            raise lost.pop()

    audited.engine.before = lose
    counted = audited.retrofit(count_indexes=True)["indexes"][INDEX]
    assert (counted["entries"], counted["stopped_by"], lost) == (35, None, [])


def test_a_count_whose_answers_are_always_lost_stops(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    audited.load(5)
    monkeypatch.setattr(index_count, "WAIT_SECONDS", 0.0)
    asked = 0

    def lose(name: str, parameters: dict[str, Any]) -> None:
        nonlocal asked
        if "IndexName" in parameters:
            asked += 1
            raise CutAnswerError("cut")

    audited.engine.before = lose
    counted = audited.retrofit(count_indexes=True)["indexes"][INDEX]
    assert (counted["entries"], counted["stopped_by"]) == (None, "CutAnswerError")
    assert asked <= index_count.THREADS * index_count.ATTEMPTS


def test_a_rate_holds_for_the_count_too(audited: Audited) -> None:
    audited.load(30)
    output = audited.retrofit(count_indexes=True, max_read_units_per_second=2000)
    assert output["indexes"][INDEX]["entries"] == output["indexed"] == 35
    limits = [asked.get("Limit") for _, asked in audited.engine.requests if "IndexName" in asked]
    assert all(limits)


def test_a_dry_run_says_what_the_count_costs_at_most(audited: Audited) -> None:
    audited.load(30)
    asked = {"table": audited.table, "set": {ATTRIBUTE: "{resourceId}-{action}-{accessedBy}"}}
    counting, plain = (
        audited.job.planned({**asked, "count_indexes": counts}, f"dry-{counts}")["explanation"]
        for counts in (True, False)
    )
    assert counting["count_indexes"]["indexes"] == [INDEX]
    assert counting["read_units"] == pytest.approx(
        plain["read_units"] + counting["count_indexes"]["read_units_at_most"], abs=0.1
    )


def test_counting_indexes_without_verifying_is_refused(audited: Audited) -> None:
    refused = audited.retrofit(count_indexes=True, verify=False)
    assert (refused["error"], "leave verify or count_indexes out" in refused["cause"]) == ("InputError", True)
