"""Thousands of inputs of every kind of work: each is taken, or refused in clear words."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.act import input as act
from skipscan.copy import input as copy
from skipscan.errors import InputError
from skipscan.listing import execution_input as run
from skipscan.listing import fields as run_fields
from skipscan.retrofit import input as retrofit
from tests.house.suite.examples import examples
from tests.simulation.inputs.bent import ANY_TEXT, ANYTHING, EXTREME, many, near
from tests.simulation.inputs.refusal import names, subject

pytestmark = pytest.mark.slow

Document = dict[str, Any]
Kind = tuple[Callable[[object], object], tuple[str, ...], Document]

ACT: Document = {"table": "Orders", "run": "run-1", "put_item": {"item": {"sk": "#static", "GSI-pk": "{pk}"}}}
RETROFIT: Document = {"table": "Audit", "set": {"all": "{resource}-{action}"}}
COPY: Document = {"table": "Old", "to": "New"}
KINDS: dict[str, Kind] = {
    "run": (run.parse, tuple(field.name for field in run_fields.FIELDS), {"table": "Orders"}),
    "act": (act.parse_action, tuple(field.name for field in act.FIELDS), ACT),
    "retrofit": (retrofit.parse_retrofit, tuple(field.name for field in retrofit.FIELDS), RETROFIT),
    "copy": (copy.parse_copy, tuple(field.name for field in copy.FIELDS), COPY),
}


def refusal(parse: Callable[[object], object], document: object) -> str | None:
    """Return the message of a refusal, `None` for an input that is taken."""
    try:
        parse(document)
    except InputError as error:
        return str(error)
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_the_right_input_is_taken(kind: str) -> None:
    parse, _, right = KINDS[kind]
    assert refusal(parse, right) is None


@pytest.mark.parametrize("kind", KINDS)
def test_an_invalid_field_is_named(kind: str) -> None:
    parse, fields, right = KINDS[kind]
    refused = 0

    @many(1_000)
    @given(st.sampled_from(fields) | st.sampled_from(fields).flatmap(near), ANYTHING)
    def each(field: str, value: Any) -> None:
        nonlocal refused
        message = refusal(parse, {**right, field: value})
        if message is not None:
            refused += 1
            subject(message)
            assert field in fields or names(message, field), (field, message)

    each()
    assert refused >= examples(700)


@pytest.mark.parametrize("kind", KINDS)
def test_any_input_gets_a_clear_answer(kind: str) -> None:
    parse, fields, right = KINDS[kind]
    some = st.dictionaries(st.sampled_from(fields) | ANY_TEXT, ANYTHING)
    no_object = ANYTHING.filter(lambda value: not isinstance(value, Mapping))

    @many(1_000)
    @given(some.map(lambda bent: {**right, **bent}) | some | no_object)
    def each(document: Any) -> None:
        message = refusal(parse, document)
        if message is not None:
            subject(message)

    each()


@pytest.mark.parametrize("kind", KINDS)
def test_every_extreme_value_in_every_field(kind: str) -> None:
    parse, fields, right = KINDS[kind]
    for field in fields:
        for value in EXTREME:
            message = refusal(parse, {**right, field: value})
            if message is not None:
                subject(message)
