"""The changelog and the version say the same release."""

import re
from pathlib import Path

import skipscan


def test_the_newest_release_of_the_changelog_is_the_version_and_what_comes_next_stands_above_it() -> None:
    sections = re.findall(r"^## (.+)$", Path("CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(skipscan.__version__)} - \d{{4}}-\d\d-\d\d", sections[1])
