"""The input of a copy: fields that contradict each other are refused with the way out."""

from typing import Any

import pytest

from skipscan.copy.input import parse_copy
from skipscan.errors import InputError
from tests.refusal import refused

ASKED = {"table": "Audit", "to": "Audit-2"}


@pytest.mark.parametrize("other", [{"create": True}, {"verify": False}])
def test_a_copy_that_only_compares_creates_no_table_and_leaves_out_no_comparison(other: dict[str, Any]) -> None:
    (field,) = other
    with refused(InputError, "compare_only", True, field, rule="only compares"):
        parse_copy({**ASKED, "compare_only": True, **other})
