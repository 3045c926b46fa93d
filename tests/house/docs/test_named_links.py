"""Every claim about others has its source."""

import re
from pathlib import Path

import pytest

from tests.house.docs.document import DOCUMENTS, prose


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_by_name_has_its_address(document: Path) -> None:
    text = prose(document)
    used = set(re.findall(r"\]\[([\w-]+)\]", text))
    assert used == set(re.findall(r"^\[([\w-]+)\]: https://", text, re.MULTILINE))
