"""docs/errors.md has every class of error that a person can meet, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.section import CdkJsonError
from skipscan.aws.faults import LOST_ANSWERS
from skipscan.errors import SkipscanError
from tests.house.docs.document import listed, rows

PAGE = Path("docs/errors.md")


def nodes() -> Iterator[ast.AST]:
    """Yield the nodes of the product's modules."""
    for folder in ("lambdas", "infra"):
        for path in Path(folder).rglob("*.py"):
            yield from ast.walk(ast.parse(path.read_bytes()))


def subclasses(error: type[Exception]) -> Iterator[type[Exception]]:
    for one in error.__subclasses__():
        yield one
        yield from subclasses(one)


def test_every_error_has_its_row() -> None:
    classes = {*subclasses(SkipscanError), CdkJsonError}
    assert sorted(listed(PAGE, "## Errors by name")) == sorted(error.__name__ for error in classes)


@pytest.mark.slow
def test_no_other_class_of_the_product_is_an_error() -> None:
    # Asked again, and a BatchError if that does not help.
    passing = {error.__name__ for lost in LOST_ANSWERS for error in (lost, *subclasses(lost))}
    documented = set(listed(PAGE, "## Errors by name")) | {"SkipscanError"}
    classes = (node for node in nodes() if isinstance(node, ast.ClassDef))
    errors = {
        one.name for one in classes if any(ast.unparse(base).endswith(("Error", "Exception")) for base in one.bases)
    }
    inside = {"FormError"}  # whoever reads a form says whose it is, with an error of the page
    assert errors - passing - inside == documented


def test_every_row_has_a_way_out() -> None:
    for heading in ("## Errors by name", "## Often met"):
        assert all(cell for row in rows(PAGE, heading) for cell in row)


@pytest.mark.slow
def test_the_messages_that_are_often_met_are_those_of_the_code() -> None:
    said = [node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for message in listed(PAGE, "## Often met"):
        for words in re.findall(r"[a-zA-Z' ]{12,}", message.replace("skipscan-dev", "").replace("us-east-1", "")):
            assert any(words.strip() in each for each in said), words
