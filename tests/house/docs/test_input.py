"""docs/reference-input.md has the fields of the input with their defaults and bounds."""

from collections.abc import Iterable
from dataclasses import MISSING, Field, fields
from pathlib import Path

import pytest

from skipscan.errors import InputError
from skipscan.keys.formats import STORED
from skipscan.listing.execution_input import MAX_WORKERS, ExecutionInput, parse
from skipscan.scan.plan import Optimize, Strategy
from skipscan.scan.segments import MAX_SEGMENTS
from tests.house.docs.document import rows

ROWS = {cells[0].strip("`"): cells[1:] for cells in rows(Path("docs/reference-input.md"), "## The input")}
CHOICES: dict[str, Iterable[str]] = {"strategy": Strategy, "optimize": Optimize, "format": STORED}


def test_it_lists_every_field() -> None:
    assert list(ROWS) == [field.name for field in fields(ExecutionInput)]


@pytest.mark.parametrize("field", fields(ExecutionInput), ids=lambda field: field.name)
def test_a_default_is_that_of_the_code(field: "Field[object]") -> None:
    default = ROWS[field.name][0]
    if field.default is MISSING:
        assert default == "required"
    elif field.default is not None:
        assert default == f"`{str(field.default).lower()}`"
    else:
        assert "`" not in default


@pytest.mark.parametrize("field", CHOICES)
def test_the_choices_are_those_of_the_code(field: str) -> None:
    assert ROWS[field][1].startswith(", ".join(f"`{choice}`" for choice in CHOICES[field]))


@pytest.mark.parametrize(("field", "most"), [("segments", MAX_SEGMENTS), ("workers", MAX_WORKERS)])
def test_a_number_of_things_has_its_bounds(field: str, most: int) -> None:
    assert ROWS[field][1].startswith(f"1 to {most:,}")
    assert getattr(parse({"table": "Orders", field: most}), field) == most


@pytest.mark.parametrize("field", [name for name in ROWS if name.startswith("max_")])
def test_an_amount_has_its_least(field: str) -> None:
    least = float(ROWS[field][1].removeprefix("at least "))
    assert getattr(parse({"table": "Orders", field: least}), field) == least
    with pytest.raises(InputError, match="at least"):
        parse({"table": "Orders", field: least * 0.9})
