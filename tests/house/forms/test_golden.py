"""No stored form changes unnoticed: a field renamed in the code would leave work of another version unread."""

import json
from pathlib import Path
from typing import Any

import pytest

from skipscan.loop.work import FIELD, FORM, check_seal
from tests.house.forms.golden import FOLDER, forms, path
from tests.unit.loop.test_proof import NAMED, WHOLE

ANEW = "python -m tests.house.forms.golden writes the files anew; its docstring says when to raise FORM"


def golden(kind: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path(kind).read_text())
    return document


def test_every_kind_of_work_has_a_golden_file_and_there_is_no_other() -> None:
    assert {Path(name).stem for name in FOLDER.glob("*.json")} == set(WHOLE)


@pytest.mark.parametrize("kind", WHOLE)
def test_what_is_stored_is_what_the_golden_file_has_in_its_order(kind: str) -> None:
    assert json.dumps(forms(WHOLE[kind])) == json.dumps(golden(kind)), ANEW


@pytest.mark.parametrize("kind", WHOLE)
def test_every_form_begins_with_its_number(kind: str) -> None:
    for document in golden(kind).values():
        assert next(iter(document.items())) == (FIELD, FORM)


@pytest.mark.parametrize("kind", WHOLE)
def test_what_the_golden_file_has_is_read_back_whole(kind: str) -> None:
    whole, (plan, left, done, _) = WHOLE[kind], golden(kind).values()
    work = whole.kind.work(plan)
    assert work == whole.kind.new_work(NAMED, whole.plan)
    for document, progress in ((left, whole.unfinished), (done, whole.reached[1])):
        check_seal(document, work, progress.worker)
        assert whole.kind.progress(document, work.plan) == progress
