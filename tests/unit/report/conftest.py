"""Runs whose reports are looked at, each made once."""

import json
from pathlib import Path

import pytest

from tests.unit.report.made_up_run import made_up_run, skewed_table


@pytest.fixture(scope="session")
def throttled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of several workers, with a sample before it and throttling in the middle."""
    folder = tmp_path_factory.mktemp("throttled")
    made_up_run(folder, skewed_table(8_000), throttled=0.2, batch_seconds=0.3, workers=4, segments=64)
    return folder


@pytest.fixture(scope="session")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that its budget stopped, over a table with provisioned capacity."""
    folder = tmp_path_factory.mktemp("stopped")
    made_up_run(
        folder,
        skewed_table(3_000),
        with_sample=False,
        provisioned=50_000,
        batch_seconds=0.2,
        workers=2,
        segments=32,
        max_read_units=200,
    )
    return folder


@pytest.fixture(scope="session")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of many workers, segments and parts, whose totals have many digits."""
    folder = tmp_path_factory.mktemp("crowded")
    made_up_run(folder, skewed_table(6_000), batch_seconds=0.005, workers=30, segments=1_200)
    manifest = json.loads((folder / "manifest.json").read_text())
    for document in (manifest, *manifest["parts"]):
        for name in document.keys() & {"keys", "items", "requests", "read_units", "throttles", "bytes"}:
            document[name] *= 1_000_000
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
