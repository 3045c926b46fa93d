"""A release is built from a tag that fits its sources, and equal sources give equal files."""

import hashlib
import json
from pathlib import Path

import pytest

import skipscan
from infra import release

pytestmark = pytest.mark.engine

VERSION = skipscan.__version__
SECTIONS = "# Changelog", "## Unreleased", f"## {VERSION} - 2026-11-24", "- Something new.", "## 0.1.0 - 2026-01-01"
CLOSED = "\n\n".join(SECTIONS)


def test_the_notes_are_the_section_of_the_version() -> None:
    assert release.check(f"v{VERSION}", CLOSED) == "- Something new.\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "said"),
    [
        ("v9.9.9", CLOSED, f"the tag is v9.9.9, and the version of the sources is {VERSION}"),
        (f"v{VERSION}", CLOSED.replace("## Unreleased\n", "## Unreleased\n\n- Later.\n"), "entries under"),
        (None, CLOSED.replace(VERSION, "7.7.7"), f"no section of {VERSION}"),
    ],
)
def test_a_tag_that_does_not_fit_is_refused_before_anything_is_built(
    tag: str | None, changelog: str, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        release.check(tag, changelog)


@pytest.mark.long
@pytest.mark.xdist_group("installed")
def test_two_builds_have_the_same_bytes_and_the_checksums_of_all_files(tmp_path: Path) -> None:
    folders = tmp_path / "first", tmp_path / "second"
    for folder in folders:
        release.build(folder, "https://github.com/you/skipscan", None)
    first, second = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in folders)
    assert first == second
    sums = dict(line.split("  ")[::-1] for line in first[release.CHECKSUMS].decode().splitlines())
    assert sums == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in first.items()
        if name not in {release.CHECKSUMS, release.NOTES}
    }
    functions = json.loads(first["skipscan-functions.cdx.json"])["components"]
    command = json.loads(first["skipscan-command.cdx.json"])["components"]
    assert "aws-lambda-powertools" in {part["name"] for part in functions}
    assert {"boto3", "click", "rich"} <= {part["name"] for part in command}
    assert sums["requirements-command.txt"] in first["skipscan.rb"].decode()
