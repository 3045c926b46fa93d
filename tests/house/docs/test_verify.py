"""The documents list what the kit has."""

from pathlib import Path

from verify.__main__ import verify
from verify.checks import CHECKS
from verify.quote import dollars, seconds

PAGE = Path("docs/verify.md").read_text()


def test_the_page_names_every_option_that_it_explains() -> None:
    options = {option for parameter in verify.params for option in parameter.opts}
    named = {word.strip("`,.():") for word in PAGE.split() if word.strip("`(").startswith("--")}
    assert named
    assert named <= options


def test_the_page_has_everything_that_the_quotation_has() -> None:
    every = list(CHECKS.values())
    assert round(seconds(every) / 60) <= 25, "the page says about 25 minutes"
    assert dollars(every) <= 0.10, "the page says 10 cents"
