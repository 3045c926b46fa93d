"""What depends on each kind of work: where its results are, its stack's output, what is followed, and what resumes."""

from typing import Any

import pytest

from tests.unit.loop.test_proof import NAMED, WHOLE

FACTS: dict[str, dict[str, Any]] = {
    "listing": {
        **{"noun": "run", "machine": "listing", "unit": "segments", "units": 4, "named": ("table",), "failed": 0},
        **{"manifest": "runs/monday/manifest.json", "page": "reference-input.md", "output": "StateMachineArn"},
        **{"followed": "keys", "nouns": "keys", "required": None, "expected": 7.0},
    },
    "act": {
        **{"noun": "act", "machine": "act", "unit": "slices", "units": 4, "named": ("table", "run"), "failed": 5},
        **{"manifest": "acts/monday/manifest.json", "page": "act.md", "output": "ActStateMachineArn"},
        **{"followed": "keys", "nouns": "keys", "required": 10, "expected": 10.0},
    },
    "retrofit": {
        **{"noun": "retrofit", "machine": "retrofit", "unit": "walks", "units": 4, "named": ("table", "indexes")},
        **{"manifest": "retrofits/monday/manifest.json", "page": "retrofit.md", "output": "RetrofitStateMachineArn"},
        **{"followed": "items", "nouns": "items", "required": None, "expected": None, "failed": 5},
    },
    "copy": {
        **{"noun": "copy", "machine": "copy", "unit": "walks", "units": 4, "named": ("table", "to"), "failed": 5},
        **{"manifest": "copies/monday/manifest.json", "page": "copy.md", "output": "CopyStateMachineArn"},
        **{"followed": "items", "nouns": "items", "required": None, "expected": None},
    },
}
"""Versions before look for results at these places, and stacks that exist have these outputs."""

BUDGETS = {
    "listing": {"max_read_units", "max_dollars"},
    "act": {"max_write_units", "max_dollars"},
    "retrofit": {"max_read_units", "max_write_units", "max_dollars"},
    "copy": {"max_read_units", "max_write_units", "max_dollars"},
}
RATES = {
    "listing": {"max_read_units_per_second"},
    "act": {"max_write_units_per_second", "max_keys_per_second"},
    "retrofit": {"max_read_units_per_second", "max_write_units_per_second"},
    "copy": {"max_read_units_per_second", "max_write_units_per_second"},
}
RESUMED = {
    "listing": {"table", "resume", "overlap"},
    "act": {"table", "run", "resume", "without_recovery", "no_writes_elsewhere"},
    "retrofit": {"table", "resume", "without_recovery", "no_writes_elsewhere"},
    "copy": {"table", "to", "resume", "without_recovery"},
}
"""What may be given beside the bounds when work is resumed. All else stands in its plan."""


@pytest.mark.parametrize("name", WHOLE)
def test_each_kind_of_work_has_its_names_and_places(name: str) -> None:
    whole, kind = WHOLE[name], WHOLE[name].kind
    estimate = {"explanation": {"choice": {"expected": {"keys": {"estimate": 7}}}}} if kind.lists_keys else {}
    document = {**kind.begun(NAMED, whole.plan).to_json(), **estimate}
    assert {
        **{"noun": kind.noun, "machine": kind.machine, "unit": kind.unit, "units": kind.units(whole.plan)},
        **{"named": kind.named, "failed": kind.in_failed(whole.reached[0].counts)},
        **{"manifest": kind.layout("s", "Orders", "monday").manifest.removeprefix("s/Orders/"), "page": kind.page},
        **{"output": kind.output, "followed": kind.followed(whole.plan), "nouns": kind.followed_nouns(whole.plan)},
        **{"required": kind.required_count(whole.plan), "expected": kind.expected(document)},
    } == FACTS[name]


@pytest.mark.parametrize("name", WHOLE)
def test_every_bound_may_be_given_again_and_little_else(name: str) -> None:
    """Status, and the command that resumes, find by the plan's bounds which budget is used up."""
    changeable = {field.name for field in WHOLE[name].kind.fields if not field.is_fixed}
    expected = BUDGETS[name] | RATES[name] | RESUMED[name]
    assert changeable == expected, f"set is_fixed in its row, or add it to BUDGETS, RATES or RESUMED of {__file__}"
    assert set(WHOLE[name].plan.bounds) == BUDGETS[name]
