"""Text with placeholders: what it needs, what it gives, and what it refuses."""

from typing import Any

import pytest

from skipscan.errors import InputError
from skipscan.items.template import Template
from tests.refusal import refused


@pytest.mark.parametrize(
    ("value", "text"),
    [({"S": "a{b}"}, "a{b}"), ({"N": "-12.50"}, "-12.50"), ({"B": b"\x00\xff"}, "AP8="), ({"S": ""}, "")],
)
def test_in_a_text_every_value_has_its_stated_form(value: dict[str, Any], text: str) -> None:
    assert Template.parse("<{pk}>").render({"pk": value}) == {"S": f"<{text}>"}


@pytest.mark.parametrize("item", [{}, {"a": {"S": "x"}}, {"a": {"S": "x"}, "b": {"BOOL": True}}])
def test_nothing_is_rendered_where_an_attribute_is_lacking_or_has_no_text(item: dict[str, Any]) -> None:
    assert Template.parse("{a}-{b}").render(item) is None


@pytest.mark.parametrize(
    ("text", "position"), [("{", 0), ("a}", 1), ("{}", 0), ("{a", 0), ("{a{b}", 0), ("{{{a}}", 5), ("x{{}", 3)]
)
def test_a_brace_that_is_alone_is_refused(text: str, position: int) -> None:
    with refused(InputError, f'the template "{text}"', rule=f"position {position} ", way="{{ and }}"):
        Template.parse(text)
