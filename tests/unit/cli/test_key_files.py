"""A run's keys as csv and Parquet: from parts of any format, in parts of csv, and what rests on such parts."""

from itertools import count
from pathlib import Path

import pyarrow.parquet
import pytest
from click.testing import CliRunner

from skipscan.cli.commands.download import download_command
from skipscan.errors import BatchError
from tests.unit.folder.local_listing import CUSTOMERS, Client, few_pages, listing

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


def test_parquet_has_every_key_once(killed_run: Path, tmp_path: Path) -> None:
    found = pyarrow.parquet.read_table(downloaded(killed_run, "parquet", tmp_path / "keys.parquet"))
    assert sorted(found["customer"].to_pylist()) == sorted(ALL)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
