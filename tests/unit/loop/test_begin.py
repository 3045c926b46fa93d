"""A name stands for one execution's work."""

from dataclasses import replace

import pytest

from skipscan.errors import InputError
from skipscan.loop.begin import check_same
from tests.refusal import refused
from tests.unit.loop.test_proof import NAMED, WHOLE

WORK = WHOLE["retrofit"].kind.begun(NAMED, WHOLE["retrofit"].plan)


def test_the_same_execution_may_be_retried() -> None:
    check_same(WORK, replace(NAMED))


@pytest.mark.parametrize("other", [{"name": "run-2"}, {"arn": "arn:other"}, {"started": "2027-01-01T00:00:00+00:00"}])
def test_another_execution_is_told_to_take_another_name_or_to_resume(other: dict[str, str]) -> None:
    """A name may come again after 90 days."""
    later = replace(NAMED, **other)
    resume = {"resume": later.name}
    with refused(InputError, "the execution's name", later.name, resume, rule="earlier retrofit"):
        check_same(WORK, later)
