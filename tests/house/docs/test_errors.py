"""docs/errors.md has every class of error that a person can meet, and no other."""

import re
from collections.abc import Iterator
from pathlib import Path

from infra.section import CdkJsonError
from skipscan.aws.faults import LOST_ANSWERS
from skipscan.errors import SkipscanError
from tests.house.docs.document import listed, rows

PAGE = Path("docs/errors.md")


def subclasses(error: type[Exception]) -> Iterator[type[Exception]]:
    for one in error.__subclasses__():
        yield one
        yield from subclasses(one)


def test_every_error_has_its_row() -> None:
    classes = {*subclasses(SkipscanError), CdkJsonError}
    assert sorted(listed(PAGE, "## Errors by name")) == sorted(error.__name__ for error in classes)


def test_no_other_class_of_the_product_is_an_error() -> None:
    # Asked again, and a BatchError if that does not help.
    passing = {error.__name__ for lost in LOST_ANSWERS for error in (lost, *subclasses(lost))}
    documented = set(listed(PAGE, "## Errors by name")) | {"SkipscanError"}
    code = "\n".join(path.read_text() for folder in ("lambdas", "infra") for path in Path(folder).rglob("*.py"))
    assert set(re.findall(r"^class (\w+)\((?:\w*Error|\w*Exception)\)", code, re.MULTILINE)) - passing == documented


def test_every_row_has_a_way_out() -> None:
    for heading in ("## Errors by name", "## Often met"):
        assert all(cell for row in rows(PAGE, heading) for cell in row)


def test_the_messages_that_are_often_met_are_those_of_the_code() -> None:
    code = " ".join(path.read_text() for folder in ("lambdas", "infra") for path in Path(folder).rglob("*.py"))
    joined = re.sub(r"['\"]\s*f?['\"]", "", code)
    for message in listed(PAGE, "## Often met"):
        for words in re.findall(r"[a-zA-Z' ]{12,}", message.replace("skipscan-dev", "").replace("us-east-1", "")):
            assert words.strip() in joined, words
