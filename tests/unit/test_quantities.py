"""One form of durations and dollars for all that people read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skipscan.quantities import duration, money

ROOT = Path("lambdas/skipscan")
UNIT_OF_TIME = re.compile(r" (s|min|h|seconds|minutes|hours|days)\b")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "0.0 s"),
        (1e-5, "0.001 s"),
        (0.023, "0.02 s"),
        (0.095, "0.1 s"),
        (8.24, "8.2 s"),
        (59.97, "1 min 00 s"),
        (250.0, "4 min 10 s"),
        (3_599.4, "59 min 59 s"),
        (3_599.6, "1 h 00 min"),
        (8_100.0, "2 h 15 min"),
        (7_199.0, "2 h 00 min"),
    ],
)
def test_a_duration_has_its_two_largest_units(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("dollars", "said"),
    [
        (0.0, "$0"),
        (3.1e-7, "$0.00000031"),
        (0.000577, "$0.00058"),
        (0.1234, "$0.12"),
        (15.349, "$15.35"),
        (1234, "$1,234"),
    ],
)
def test_dollars_have_two_significant_digits_or_cents(dollars: float, said: str) -> None:
    assert money(dollars) == said


def test_dollars_beside_smaller_ones_have_as_many_decimals() -> None:
    assert money(0.00049, 0.000008) == "$0.0004900"


def formatted(source: str) -> Iterator[str]:
    """Return the numbers that f-strings format as dollars or as a duration."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts: list[ast.expr | None] = [None, *node.values, None]
            for before, value, after in zip(parts, parts[1:], parts[2:], strict=False):
                if isinstance(value, ast.FormattedValue) and value.format_spec:
                    texts = [str(part.value) if isinstance(part, ast.Constant) else "" for part in (before, after)]
                    if texts[0].endswith("$") or UNIT_OF_TIME.match(texts[1]):
                        yield ast.unparse(node)


def test_a_number_formatted_by_hand_is_noticed() -> None:
    assert len([*formatted("""f"${x:,.2f}"; f"{s:.1f} s"; f"{s:.1f} segments of {t} s"; f"{s // 60:02d} min" """)]) == 3


FORMATTED_BY_HAND = {
    "act/preview.py",  # an age in hours
    "cli/board.py",  # whole minutes without progress
    "listing/aws/price_list.py",  # exact prices per million
    "listing/estimate/job_warning.py",  # days
    "report/listing.py",  # an exact price per million
    "report/over_time.py",  # hundredths of a second, by which two stretches differ
    "scan/history.py",  # days
}


def test_nothing_else_formats_dollars_and_durations() -> None:
    files = {path.relative_to(ROOT).as_posix(): path.read_text() for path in ROOT.rglob("*.py")}
    assert {name for name, source in files.items() if any(formatted(source))} - {"quantities.py"} == FORMATTED_BY_HAND
