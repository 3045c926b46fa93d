"""The value of an attribute made of others; two items never get the same value by default."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skipscan.errors import InputError
from skipscan.items.concatenation import Concatenation, Problem, Separator, Unmade
from tests.refusal import refused


def concatenation(text: str, separator: Separator = Separator.REFUSE) -> Concatenation:
    return Concatenation.parse(text, separator, "set.made")


@pytest.mark.parametrize("value", [{"M": {}}, {"L": []}, {"SS": ["a"]}, {"BOOL": True}, {"NULL": True}])
def test_other_types_are_refused_in_a_text(value: dict[str, Any]) -> None:
    unmade = concatenation("{a}-{b}").render({"a": value, "b": {"S": "x"}})
    assert isinstance(unmade, Unmade)
    assert (unmade.problem, "a has type" in unmade.reason) == (Problem.REFUSED, True)


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_value_that_holds_the_separator_is_refused(name: str) -> None:
    item = {"a": {"S": "x"}, "b": {"S": "y"}} | {name: {"S": "x-y"}}
    assert concatenation("{a}-{b}").render(item) == Unmade(Problem.REFUSED, f"{name} holds a separator")


def test_a_value_that_runs_into_its_separator_is_refused() -> None:
    assert isinstance(concatenation("{a}--{b}").render({"a": {"S": "x-"}, "b": {"S": "y"}}), Unmade)


@pytest.mark.parametrize(
    ("text", "separator", "remedy", "rule"),
    [
        ("{a}{b}", Separator.REFUSE, {"separator": "keep"}, r"nothing between \{a\} and \{b\}"),
        ("{a}{b}", Separator.ESCAPE, {"separator": "keep"}, r"nothing between \{a\} and \{b\}"),
        ("{a}\\{b}", Separator.ESCAPE, {}, r"backslash between \{a\} and \{b\}"),
    ],
)
def test_an_ambiguous_template_is_refused(
    text: str, separator: Separator, remedy: dict[str, object], rule: str
) -> None:
    with refused(InputError, "set.made", remedy=remedy, rule=rule):
        Concatenation.parse(text, separator, "set.made")


@pytest.mark.parametrize("text", ["", 7])
def test_a_template_is_a_text(text: object) -> None:
    with refused(InputError, "set.made", text, rule="a text like"):
        Concatenation.parse(text, Separator.REFUSE, "set.made")


@pytest.mark.parametrize(("kind", "value"), [("N", "1"), ("B", b"\xd4")])
def test_escaping_refuses_what_another_type_s_text_could_be(kind: str, value: Any) -> None:
    """The string "1" has the text of the number 1."""
    unmade = concatenation("{a}-{b}", Separator.ESCAPE).render({"a": {"S": "x"}, "b": {kind: value}})
    assert isinstance(unmade, Unmade)
    assert unmade.problem is Problem.REFUSED
    assert unmade.reason == f'b has type {kind}; with separator "escape" only strings can be joined'
    assert concatenation("{b}", Separator.ESCAPE).render({"b": {kind: value}}) == {kind: value}


VALUES = st.text(st.sampled_from(list("ab-#\\.")), max_size=5)
ITEMS = st.tuples(VALUES, VALUES, VALUES)


@given(ITEMS, ITEMS, st.sampled_from(["-", "--", "-#", "#-#", "-#-", "a", ".\\"]), st.sampled_from(["#", "-", "--"]))
def test_two_items_have_the_same_value_only_if_their_sources_are_the_same(
    one: tuple[str, ...], other: tuple[str, ...], first: str, second: str
) -> None:
    assume(one != other)
    for separator in (Separator.REFUSE, Separator.ESCAPE):
        if separator is Separator.ESCAPE and "\\" in first:
            continue
        made = concatenation(f"<{{a}}{first}{{b}}{second}{{c}}>", separator)
        values = [made.render({n: {"S": v} for n, v in zip("abc", item, strict=True)}) for item in (one, other)]
        assert any(isinstance(value, Unmade) for value in values) or values[0] != values[1]
        if separator is Separator.ESCAPE:
            assert not any(isinstance(value, Unmade) for value in values)
