"""What an archive lists."""

import json
from types import SimpleNamespace
from typing import Any

from skipscan.environment.archive import Archive
from skipscan.listing.kind import LISTING
from skipscan.loop.work import ExecutionId
from tests.fakes.small_table import DESCRIPTION, reading


def test_work_over_another_account_s_table_in_the_same_folder_is_left_out() -> None:
    """In the form of earlier versions."""
    work = LISTING.begun(ExecutionId("run-1", "arn:run-1", "2026-01-01T00:00:00+00:00"), reading())
    stored = json.dumps(work.to_json()).encode()
    storage: Any = SimpleNamespace(folders=lambda _: iter(["run-1"]), get=lambda _: stored)
    ours, theirs = (
        Archive(LISTING, storage, "skipscan", "Audit", "", arn)
        for arn in (str(DESCRIPTION["TableArn"]), "arn:aws:dynamodb:us-east-1:222222222222:table/Audit")
    )
    assert [entry.name for entry in ours.entries()] == ["run-1"]
    assert theirs.entries() == []
