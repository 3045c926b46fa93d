"""Of which kind the work in a folder is: its plan says it, or its manifest where another version wrote the plan."""

import json
from pathlib import Path
from typing import Any

import pytest

from skipscan.environment import KINDS
from skipscan.errors import InputError
from skipscan.folder.storage import Folder
from skipscan.loop.work import FORM
from skipscan.stored.folder import work_in
from tests.refusal import refused
from tests.unit.environment.test_status import RUN

ORDER = [KINDS["act"], KINDS["run"]]


def put(folder: Path, **documents: Any) -> Folder:
    for name, document in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(document))
    return Folder(folder)


@pytest.mark.parametrize("order", [ORDER, ORDER[::-1]])
def test_a_plan_is_that_of_the_kind_that_reads_it(tmp_path: Path, order: list[Any]) -> None:
    assert work_in(put(tmp_path, plan=RUN.to_json()), "", order).kind is KINDS["run"]


@pytest.mark.parametrize("ending", ["manifest", "unfinished"])
@pytest.mark.parametrize("label", ["act", "run"])
def test_an_ending_says_the_kind_of_a_plan_in_another_form(tmp_path: Path, ending: str, label: str) -> None:
    documents = {"plan": {"form": FORM - 1}, ending: {"complete": True, label: "nightly"}}
    assert work_in(put(tmp_path, **documents), "", ORDER).kind is KINDS[label]


def test_a_plan_of_no_kind_is_refused(tmp_path: Path) -> None:
    with refused(InputError, "the folder", rule="do not belong to a run or job", way="unchanged folder"):
        work_in(put(tmp_path, plan={"form": FORM}, manifest={"complete": True}), "", ORDER)
