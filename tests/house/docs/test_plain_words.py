"""What users read holds none of the phrases that were hard to read and have been replaced."""

import re
from pathlib import Path

import pytest

from skipscan.cli.reference import reference
from tests.house.docs.document import DOCUMENTS

REPLACED = (
    "of the newest, if none is named",
    "of the newest finished, if none is named",
    "because that never reads more than going on would",
    "Intervals hold the truth",
    "whoever read the output",
    "if no item is there before",
    "of one that goes on it is not known",
    "refused for want of throughput",
    "Leave out the look at all items",
    "for a refusal mostly comes by then",
    "Say how a RUN stands",
    "has not what the source",
    "what who cannot see",
    "goes on where it stood",
    "What becomes of a value",
    "is no order you could rely on",
    "is told that",
    "Machine-readable",
    "the budget counts for the whole of it",
    "where it is kept what was read",
    "made anew",
    "created anew",
    "lies beside",
    "is told to",
    "whoever",
    "as it stands",
    "goes on",
    "refused in words",
    "unless told otherwise",
    "the door to all pages",
    "mend the cause",
    "for want of",
    "goes on from what lies",
    "asks for something that cannot be",
)


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_no_document_has_a_replaced_phrase(document: Path) -> None:
    assert found(" ".join(document.read_text().split())) == []


def test_no_help_has_a_replaced_phrase() -> None:
    assert found(" ".join(reference().split())) == []


def found(text: str) -> list[str]:
    return [phrase for phrase in REPLACED if re.search(re.escape(phrase), text, re.IGNORECASE)]
