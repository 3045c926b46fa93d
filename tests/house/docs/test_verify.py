"""The documents list what the kit has."""

from pathlib import Path

from verify.__main__ import verify

PAGE = Path("docs/verify.md").read_text()


def test_the_page_names_every_option_that_it_explains() -> None:
    options = {option for parameter in verify.params for option in parameter.opts}
    named = {word.strip("`,.():") for word in PAGE.split() if word.strip("`(").startswith("--")}
    assert named
    assert named <= options
