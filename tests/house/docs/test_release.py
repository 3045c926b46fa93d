"""The changelog and the version say the same release."""

import re
from pathlib import Path

import skipscan


def test_the_newest_release_of_the_changelog_is_the_version_below_unreleased() -> None:
    sections = re.findall(r"^## (.+)$", Path("CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(skipscan.__version__)} - \d{{4}}-\d\d-\d\d", sections[1])


def test_the_citation_names_the_version() -> None:
    assert f"version: {skipscan.__version__}\n" in Path("CITATION.cff").read_text()
