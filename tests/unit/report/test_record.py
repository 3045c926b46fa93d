"""A run's record is read completely, from a bucket or a copy, and missing objects are reported."""

import os
import shutil
from pathlib import Path

import pytest

from skipscan.errors import InputError
from tests.refusal import refused
from tests.unit.report.made_up_run import read_run

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]


def test_an_attempt_that_did_not_count_is_left_out(throttled: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(throttled, tmp_path / "run")
    orphan = next((folder / "checkpoints/worker-0000").iterdir())
    orphan.with_name("batch-00099-0123456789abcdef.json").write_text(orphan.read_text())
    assert read_run(folder).digest == read_run(throttled).digest


@pytest.mark.parametrize("content", ["", "[]", "{}", '"plan"', '{"run": 1}', "\ud800"])
def test_what_no_run_has_left_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with refused(InputError, "the folder", way="folder"):
        read_run(tmp_path)


def test_workers_whose_checkpoints_expired_are_not_forgotten(throttled: Path, tmp_path: Path) -> None:
    without = shutil.ignore_patterns("manifest.json", "checkpoints")
    folder = shutil.copytree(throttled, tmp_path / "run", ignore=without)
    assert set(read_run(folder).reached.values()) == {None}


def test_a_folder_that_holds_no_run_is_refused(tmp_path: Path) -> None:
    way = r"manifest\.json, such as s3://bucket/skipscan/"
    with refused(InputError, "the folder", f"{tmp_path}{os.sep}", rule=r"plan\.json", way=way):
        read_run(tmp_path)
