"""Text with placeholders: what it needs, what it gives, and what it refuses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.errors import InputError
from skipscan.items.template import Template
from tests.refusal import refused

VALUES = (
    st.builds(lambda content: {"S": content}, st.text())
    | st.builds(lambda content: {"N": content}, st.integers().map(str))
    | st.builds(lambda content: {"B": content}, st.binary())
)


@given(st.text())
def test_text_without_placeholders_is_itself_once_braces_are_doubled(text: str) -> None:
    template = Template.parse(text.replace("{", "{{").replace("}", "}}"))
    assert template.attributes == ()
    assert template.render({}) == {"S": text}


@given(VALUES)
def test_a_bare_placeholder_keeps_the_type(value: dict[str, Any]) -> None:
    assert Template.parse("{pk}").render({"pk": value}) == value


def test_a_bare_placeholder_takes_a_value_of_any_type() -> None:
    assert Template.parse("{tags}").render({"tags": {"SS": ["a"]}}) == {"SS": ["a"]}


@pytest.mark.parametrize(
    ("value", "text"),
    [({"S": "a{b}"}, "a{b}"), ({"N": "-12.50"}, "-12.50"), ({"B": b"\x00\xff"}, "AP8="), ({"S": ""}, "")],
)
def test_in_a_text_every_value_has_its_stated_form(value: dict[str, Any], text: str) -> None:
    assert Template.parse("<{pk}>").render({"pk": value}) == {"S": f"<{text}>"}


def test_several_attributes_stand_where_they_are_named() -> None:
    template = Template.parse("{resourceId}-{action}-{accessedBy}-{action}")
    assert template.attributes == ("resourceId", "action", "accessedBy")
    item = {"resourceId": {"S": "123ccc"}, "action": {"S": "edited"}, "accessedBy": {"S": "jane"}, "at": {"N": "1"}}
    assert template.render(item) == {"S": "123ccc-edited-jane-edited"}


@pytest.mark.parametrize("item", [{}, {"a": {"S": "x"}}, {"a": {"S": "x"}, "b": {"BOOL": True}}])
def test_nothing_is_rendered_where_an_attribute_is_lacking_or_has_no_text(item: dict[str, Any]) -> None:
    assert Template.parse("{a}-{b}").render(item) is None


def test_attribute_names_may_hold_anything_but_braces() -> None:
    assert Template.parse("{größe 1.x}").attributes == ("größe 1.x",)


@pytest.mark.parametrize(
    ("text", "position"), [("{", 0), ("a}", 1), ("{}", 0), ("{a", 0), ("{a{b}", 0), ("{{{a}}", 5), ("x{{}", 3)]
)
def test_a_brace_that_is_alone_is_refused(text: str, position: int) -> None:
    with refused(InputError, f'the template "{text}"', rule=f"position {position} ", way="{{ and }}"):
        Template.parse(text)
