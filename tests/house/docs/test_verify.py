"""The documents list what the kit has."""

from pathlib import Path

from tests.house.docs.document import rows
from verify.__main__ import verify
from verify.checks import CHECKS
from verify.quote import dollars, seconds

CHECKED = Path("verify/README.md")
PAGE = Path("docs/verify.md").read_text()


def test_what_only_aws_could_show_is_what_the_kit_checks() -> None:
    listed = rows(CHECKED, "## The checks")
    assert listed == [[f"`{each.name}`", f"[{each.assumption}]({each.source})"] for each in CHECKS.values()]


def test_the_page_names_every_option_that_it_explains() -> None:
    options = {option for parameter in verify.params for option in parameter.opts}
    named = {word.strip("`,.():") for word in PAGE.split() if word.strip("`(").startswith("--")}
    assert named
    assert named <= options


def test_the_page_has_everything_that_the_quotation_has() -> None:
    every = list(CHECKS.values())
    assert round(seconds(every) / 60) <= 20, "the page says about twenty minutes"
    assert dollars(every) <= 0.10, "the page says 10 cents"
