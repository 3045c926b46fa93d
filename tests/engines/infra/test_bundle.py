import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from infra.bundle import ROOT, bundle, zipped

pytestmark = pytest.mark.xdist_group("bundle")

LAMBDAS = ROOT / "lambdas"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle(LAMBDAS, tmp_path_factory.mktemp("build"))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of a copy of the sources: in another folder, touched later, under another umask."""
    copy = tmp_path_factory.mktemp("elsewhere")
    before = os.umask(0o077)
    try:
        shutil.copytree(LAMBDAS, copy / "lambdas", copy_function=shutil.copyfile)
        for path in (copy / "lambdas").rglob("*.py"):
            os.utime(path, (0, 0))
        return bundle(copy / "lambdas", copy / "build")
    finally:
        os.umask(before)


def test_the_same_files_give_the_same_zip_and_the_same_name_everywhere(bundled: Path, elsewhere: Path) -> None:
    assert elsewhere.name == bundled.name
    assert zipped(elsewhere) == zipped(bundled)


def test_the_zip_stays_small(bundled: Path) -> None:
    assert len(zipped(bundled)) < 1_000_000
    assert sum(map(len, files(bundled).values())) < 3_100_000


def test_the_bundle_holds_what_runs_and_not_how_it_was_made(bundled: Path) -> None:
    assert {f"handlers/{machine}.py" for machine in ("listing", "act", "retrofit", "copy", "stream")} <= files(
        bundled
    ).keys()
    assert not [name for name in files(bundled) if "requirements" in name or "egg-info" in name]
    assert not [name for name in files(bundled) if name.endswith((".so", ".pyd", ".pyc"))], "it is pure Python"


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what Lambda's runtime brings, and nothing else: boto3 and its dependencies."""
    folder = tmp_path_factory.mktemp("runtime")
    for name in ("boto3", "botocore", "s3transfer", "dateutil", "six.py", "urllib3"):
        (folder / name).symlink_to(Path(sysconfig.get_path("purelib"), name))
    return folder


@pytest.mark.sampled(2)
@pytest.mark.parametrize("handler", ["plan", "scan", "finish", "report", "compare"])
def test_a_handler_finds_all_it_needs_in_the_bundle_and_the_runtime(bundled: Path, runtime: Path, handler: str) -> None:
    program = f"import sys; sys.path += [{str(bundled)!r}, {str(runtime)!r}]; from handlers.listing import {handler}"
    environment = {
        "AWS_DEFAULT_REGION": "us-east-1",
        "SKIPSCAN_BUCKET": "results",
        "SKIPSCAN_PREFIX": "skipscan",
        "SKIPSCAN_PLACE": "us-east-1:000000000000",
    }
    # -S: without the site-packages of the tests; -I and -E: without what its environment variables would add.
    subprocess.run([sys.executable, "-I", "-S", "-E", "-B", "-c", program], env=environment, check=True)
