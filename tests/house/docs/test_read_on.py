"""Every page that a message names is there."""

from pathlib import Path

import pytest

from skipscan import errors
from skipscan.environment import KINDS
from skipscan.loop.finish import refused
from tests.house.docs.document import anchors

ERRORS: list[type[errors.SkipscanError]] = [errors.SkipscanError, *errors.SkipscanError.__subclasses__()]
NAMED = {error.page for error in ERRORS}


@pytest.mark.parametrize("named", sorted(NAMED | {kind.page for kind in KINDS.values()}))
def test_every_page_in_a_message_exists(named: str) -> None:
    page, _, anchor = named.partition("#")
    path = Path("docs") / page
    assert path.is_file()
    assert not anchor or anchor in anchors(path)


@pytest.mark.parametrize("noun", KINDS)
def test_a_refusal_names_the_page_of_its_input(noun: str) -> None:
    said = refused(KINDS[noun], errors.InputError("workers", 0, "it must be 1 or more", "raise it"))
    assert said["cause"].endswith(f": raise it (see docs/{KINDS[noun].page})")
