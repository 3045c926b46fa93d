"""Commands that read runs read the folders that `keys --folder` writes, named by their paths."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result

from skipscan.cli.commands.diff import diff_command
from skipscan.cli.commands.download import download_command
from skipscan.errors import NotFoundError
from tests.refusal import refused
from tests.unit.folder.local_listing import CUSTOMERS, Client, few_pages, listing

NEW, GONE = "customer new", CUSTOMERS[3]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs over one table, `monday` and `tuesday`, and one key that came and one that went."""
    root, client = tmp_path_factory.mktemp("runs"), Client()
    with few_pages():
        listing(root / "monday", client).run()
        table = client.engine.table("Orders")
        table.put({"customer": {"S": NEW}, "placed": {"N": "0"}})
        for number in range(3):
            table.delete({"customer": {"S": GONE}, "placed": {"N": str(number)}})
        listing(root / "tuesday", client, format="dynamodb-jsonl").run()
    return root


@pytest.fixture
def in_runs(runs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(runs)
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return runs


def ran(command: object, *arguments: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(command, arguments, env=env)  # type: ignore[arg-type]


@pytest.mark.parametrize("named", [("monday", "tuesday"), ("./monday", "./tuesday")])
def test_diff_compares_two_folders(in_runs: Path, named: Sequence[str]) -> None:
    result = ran(diff_command, *named)
    assert sorted(result.stdout.splitlines()) == [f"+ {NEW}", f"- {GONE}"]
    assert re.findall(r"\d+|[a-z]+day", result.stderr) == ["1", "1", "monday", "tuesday"]
    assert json.loads(ran(diff_command, *named, "--json").stdout) == {
        "table": "Orders",
        "old": {"run": "monday", "keys": len(CUSTOMERS)},
        "new": {"run": "tuesday", "keys": len(CUSTOMERS)},
        "new_keys": 1,
        "vanished_keys": 1,
    }


def test_a_run_is_downloaded_as_parquet(in_runs: Path, tmp_path: Path) -> None:
    file = tmp_path / "keys.parquet"
    assert ran(download_command, "./monday", "--format", "parquet", "--output", str(file)).exit_code == 0
    assert sorted(pyarrow.parquet.read_table(file)["customer"].to_pylist()) == sorted(CUSTOMERS)


@pytest.mark.parametrize(
    "changes",
    [
        *({"keys": "x"}, {"keys": None}, {"started": None}, {"table": None}, {"identity": {}}, {"sort_key": None}),
        *(
            {"format": "x"},
            {"level": "x"},
            {"range": "x"},
            {"take": 5},
            {"partition_key": []},
            {"partition_key": "x"},
        ),
        *({"parts": None}, {"parts": ["x"]}, {"parts": [{"name": None, "keys": 1, "bytes": 1, "sha256": ""}]}),
    ],
)
def test_a_manifest_that_somebody_changed_is_refused(in_runs: Path, tmp_path: Path, changes: dict[str, object]) -> None:
    copied = tmp_path / "copied"
    shutil.copytree("monday", copied)
    manifest = json.loads((copied / "manifest.json").read_text())
    (copied / "manifest.json").write_text(json.dumps({**manifest, **changes}))
    for command, named in ((download_command, [str(copied)]), (diff_command, ["./monday", str(copied)])):
        with refused(NotFoundError, str(copied), way=r"manifest\.json"):
            raise ran(command, *named).exception or AssertionError


def test_a_missing_folder_is_named(in_runs: Path) -> None:
    for command, named in ((download_command, ["./nope"]), (diff_command, ["./monday", "./nope"])):
        with refused(NotFoundError, "nope", rule="folder", way=r"manifest\.json"):
            raise ran(command, *named).exception or AssertionError
