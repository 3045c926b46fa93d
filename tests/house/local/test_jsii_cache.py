"""The CDK's library is unpacked once, whole, and where jsii looks for it."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from local import jsii_cache


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    library = tmp_path / "package"
    (library / "core").mkdir(parents=True)
    for name in ("package.json", "README.md", "core/index.js", "core/index.d.ts", ".jsii.tabl.json.gz"):
        (library / name).write_text(name)
    found = tmp_path / "aws-cdk-lib@2.1.0.jsii.tgz"
    with tarfile.open(found, "w:gz") as out:
        out.add(library, "package")
    monkeypatch.setattr(jsii_cache, "find_archive", lambda: found)
    return found


def test_unpacks_what_a_synthesis_reads(archive: Path, tmp_path: Path) -> None:
    entry = jsii_cache.fill(tmp_path / "jsii")
    assert entry is not None
    files = {path.relative_to(entry).as_posix() for path in entry.rglob("*") if path.is_file()}
    assert files == {"package.json", "core/index.js", jsii_cache.COMPLETE}
    assert entry.parent == tmp_path / "jsii" / "aws-cdk-lib" / "2.1.0"
    assert [path.name for path in (tmp_path / "jsii").iterdir()] == ["aws-cdk-lib"]
    (entry / "package.json").write_text("as it was unpacked")
    assert jsii_cache.fill(tmp_path / "jsii") == entry
    assert (entry / "package.json").read_text() == "as it was unpacked"


def test_leaves_nothing_of_an_archive_that_cannot_be_unpacked(archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:40])
    assert jsii_cache.fill(tmp_path / "jsii") is None
    assert [path for path in (tmp_path / "jsii").rglob("*") if path.is_file()] == []


def test_names_the_library_as_the_jsii_that_is_installed_does() -> None:
    """Its program digests the bytes, then a zero byte and each part of the name."""
    found = jsii_cache.find_archive()
    assert found is not None
    program = found.parents[2] / "jsii" / "_embedded" / "jsii" / "lib__program.js"
    words = program.read_text(encoding="utf-8")
    assert 'update("\\0"),e.update(m)' in words
    assert jsii_cache.COMPLETE in words
