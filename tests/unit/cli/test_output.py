"""Files that commands write: what is there keeps its kind, its mode and its links, and a run its own files."""

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from skipscan.cli.output import replacing, writable
from skipscan.errors import InputError
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import few_pages, listing

pytestmark = pytest.mark.posix


def write(file: Path, body: bytes) -> None:
    with replacing(writable(file)) as content:
        content.write(body)


def test_the_mode_of_an_earlier_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    file.write_bytes(b"one\n")
    for mode in (0o600, 0o640, 0o664):
        file.chmod(mode)
        with replacing(writable(file)) as content:
            (unfinished,) = (path for path in tmp_path.iterdir() if path != file)
            assert not unfinished.stat().st_mode & ~mode & 0o777
            content.write(b"two\n")
        assert (stat.S_IMODE(file.stat().st_mode), file.read_bytes()) == (mode, b"two\n")


def test_after_a_failure_an_earlier_file_is_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    file.write_bytes(b"one\n")

    def interrupted() -> None:
        with replacing(writable(file)) as content:
            content.write(b"two\n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_bytes() == b"one\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.fixture(scope="module")
def listed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("listed") / "orders"
    with few_pages():
        listing(folder).run()
    return folder


@pytest.fixture
def printed_run(listed_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
    monkeypatch.chdir(tmp_path)
    shutil.copytree(listed_once, tmp_path / "others")
    return shutil.copytree(listed_once, tmp_path / "orders")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


OWN = ("manifest.json", "plan.json", "keys/worker-0000/part-00000.jsonl", "checkpoints/mine", ".skipscan/lock")


@pytest.mark.parametrize("own", OWN)
@pytest.mark.parametrize(
    "command",
    [
        ("download", "orders", "--output"),
        ("diff", "orders", "others", "--new-keys"),
        ("diff", "others", "orders", "--vanished-keys"),
        ("report", "orders", "--output"),
        ("report", "--folder", "orders", "--output"),
        ("keys", "Orders", "--folder", "orders", "--summary"),
    ],
    ids=" ".join,
)
def test_a_run_s_own_files_are_not_overwritten(printed_run: Path, command: tuple[str, ...], own: str) -> None:
    before = contents(printed_run)
    (printed_run.parent / "link").symlink_to(f"orders/{own}")
    for file in (f"orders/{own}", "link"):
        done = invoke(*command, file)
        done.check_refused(InputError, file, rule=r"\borders$", way="name")
    assert contents(printed_run) == before


@pytest.mark.parametrize("second", ["changes", "./changes", "Changes", "link", "hard"])
def test_two_outputs_are_two_files(printed_run: Path, second: str) -> None:
    """The second one would replace the first, with status 0."""
    Path("changes").write_text("of yesterday\n")
    Path("link").symlink_to("changes")
    Path("hard").hardlink_to("changes")
    done = invoke("diff", "orders", "orders", "--new-keys", "changes", "--vanished-keys", second)
    done.check_refused(InputError, "--vanished-keys", str(Path(second)), rule="--new-keys", way="each")
    assert Path("changes").read_text() == "of yesterday\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_behind_stdout_is_named_once() -> None:
    program = "from skipscan.cli.output import written_to\nwith written_to(None) as file: file.write(b'x')"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.stderr.splitlines()[-1].endswith("No space left on device: 'stdout'")
