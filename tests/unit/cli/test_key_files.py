"""A run's keys as csv and Parquet: from parts of any format, in parts of csv, and what rests on such parts."""

import csv
import json
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from click.testing import CliRunner

from skipscan.act.input import parse_action
from skipscan.act.parts import Parts
from skipscan.act.planning import finished
from skipscan.aws.table import describe
from skipscan.cli.commands.diff import diff_command
from skipscan.cli.commands.download import download_command
from skipscan.errors import BatchError
from skipscan.folder.storage import Folder, InFolder
from skipscan.listing.compare.comparison import Comparisons
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results
from skipscan.report.record import read_work
from tests.unit.folder.local_listing import CUSTOMERS, Client, few_pages, listing
from tests.unit.report.local import local

pytestmark = pytest.mark.slow

ODD = ['a,"b"', "line\nend\r\n", "=1+1", " space ", "größe"]
ALL = [*CUSTOMERS, *ODD]


@pytest.fixture(scope="module", params=["jsonl", "csv"])
def killed_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run over a table with odd keys, killed once on the way."""
    folder, client = tmp_path_factory.mktemp("runs") / "run", Client()
    table = client.engine.table("Orders")
    for text in ODD:
        table.put({"customer": {"S": text}, "placed": {"N": "0"}})

    pages = count(1)

    def die() -> None:
        if next(pages) == 12:  # of one thread alone
            raise RuntimeError

    client.on_scan = die
    with few_pages(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("skipscan.library.into_folder.RETRY_SECONDS", ())
        for _ in range(3):
            try:
                listing(folder, client, format=request.param).run()
            except BatchError:
                continue
            break
    return folder


def downloaded(run: Path, form: str, output: Path) -> Path:
    result = CliRunner().invoke(download_command, [str(run), "--format", form, "--output", str(output)])
    assert result.exit_code == 0, result.exception
    return output


def records(body: bytes) -> list[str]:
    first, *rest = csv.reader(StringIO(body.decode("utf-8-sig"), newline=""), strict=True)
    assert first == ["customer"]
    return [field for (field,) in rest]


def test_csv_has_every_key_once_below_one_header(killed_run: Path, tmp_path: Path) -> None:
    assert sorted(records(downloaded(killed_run, "csv", tmp_path / "lines.csv").read_bytes())) == sorted(ALL)


def test_csv_for_spreadsheets_begins_no_formula(killed_run: Path, tmp_path: Path) -> None:
    found = records(downloaded(killed_run, "csv-safe", tmp_path / "lines.csv").read_bytes())
    assert sorted(found) == sorted(f"'{key}" if key.startswith("=") else key for key in ALL)


def test_parquet_has_every_key_once(killed_run: Path, tmp_path: Path) -> None:
    found = pyarrow.parquet.read_table(downloaded(killed_run, "parquet", tmp_path / "keys.parquet"))
    assert sorted(found["customer"].to_pylist()) == sorted(ALL)


def test_parquet_goes_into_a_pipe(killed_run: Path) -> None:
    result = CliRunner().invoke(download_command, [str(killed_run), "--format", "parquet"])
    assert (result.stdout_bytes[:4], result.stdout_bytes[-4:]) == (b"PAR1", b"PAR1")


def test_parts_are_whole_files_of_their_format(killed_run: Path) -> None:
    manifest = json.loads((killed_run / "manifest.json").read_text())
    assert {Path(part["name"]).suffix for part in manifest["parts"]} == {f".{manifest['format']}"}
    assert sum(part["keys"] for part in manifest["parts"]) == manifest["keys"] == len(ALL)
    if manifest["format"] == "csv":
        found = [key for part in manifest["parts"] for key in records((killed_run / part["name"]).read_bytes())]
        assert sorted(found) == sorted(ALL)


def test_a_report_finds_the_parts(killed_run: Path) -> None:
    record = read_work(LISTING, local(killed_run))
    assert record.batches_committed > 3
    assert record.digest.requests == record.counts.requests


def test_a_comparison_is_right_whatever_the_keys_hold(killed_run: Path, tmp_path: Path) -> None:
    with few_pages():
        listing(tmp_path / "later").run()
    result = CliRunner().invoke(
        diff_command, [str(killed_run), str(tmp_path / "later"), "--vanished-keys", "gone", "--format", "csv"]
    )
    assert result.exit_code == 0, result.exception
    assert sorted(records(Path("gone").read_bytes())) == sorted(ODD)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)


def results(folder: Path) -> Results:
    return Results(Folder(folder), InFolder("", "Orders", "runs", "run", "keys"))


def test_a_deployed_comparison_over_csv_writes_json_lines(killed_run: Path, tmp_path: Path) -> None:
    found = Comparisons(results(killed_run)).compare("run", tmp_path)  # with itself: in a folder there is one run
    assert (found["outcome"], found["new_keys"], found["vanished_keys"]) == ("compared", 0, 0)
    assert found["format"] == "jsonl"


def test_an_act_reads_the_keys_of_any_parts(killed_run: Path) -> None:
    client: Any = Client()
    asked = parse_action({"table": "Orders", "run": "run", "delete_item": {"key": {"placed": {"N": "0"}}}})
    manifest = finished(asked, describe(client, "Orders"), results(killed_run))
    assert manifest["keys"] == len(ALL)
    sample = [key["customer"]["S"] for key in Parts(Folder(killed_run)).sample(manifest)]
    assert len(sample) > 3
    assert set(sample) <= set(ALL)
