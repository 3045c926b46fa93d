"""The value of an attribute made of others; two items never get the same value by default."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Item
from skipscan.errors import InputError
from skipscan.items.concatenation import Concatenation, Problem, Separator, Unmade
from tests.refusal import refused

AUDIT = "{resourceId}-{action}-{accessedBy}"


def concatenation(text: str, separator: Separator = Separator.REFUSE) -> Concatenation:
    return Concatenation.parse(text, separator, "set.made")


def test_the_source_s_audit_item_gets_the_source_s_value() -> None:
    item = {"resourceId": {"S": "123ccc"}, "action": {"S": "edited"}, "accessedBy": {"S": "jane"}}
    assert concatenation(AUDIT).render(item) == {"S": "123ccc-edited-jane"}


def test_numbers_keep_dynamodb_s_digits_and_binary_is_base64() -> None:
    item: Item = {"n": {"N": "1234567890123456789.5"}, "b": {"B": b"\x00\xff\xfe"}}
    assert concatenation("{n}#{b}").render(item) == {"S": "1234567890123456789.5#AP/+"}


@pytest.mark.parametrize("value", [{"S": "x"}, {"N": "1.5"}, {"B": b"\x00"}])
def test_a_single_placeholder_keeps_its_type(value: dict[str, Any]) -> None:
    assert concatenation("{a}").render({"a": value}) == value


def test_an_item_that_lacks_a_source_has_no_value_and_the_reason_names_it() -> None:
    assert concatenation("{a}-{b}").render({"a": {"S": "x"}}) == Unmade(Problem.LACKING, "b is lacking")


@pytest.mark.parametrize("value", [{"M": {}}, {"L": []}, {"SS": ["a"]}, {"BOOL": True}, {"NULL": True}])
@pytest.mark.parametrize("text", ["{a}", "{a}-{b}"])
def test_other_types_are_refused_alone_and_in_a_text(value: dict[str, Any], text: str) -> None:
    unmade = concatenation(text).render({"a": value, "b": {"S": "x"}})
    assert isinstance(unmade, Unmade)
    assert (unmade.problem, "a has type" in unmade.reason) == (Problem.REFUSED, True)


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_value_that_holds_the_separator_is_refused(name: str) -> None:
    item = {"a": {"S": "x"}, "b": {"S": "y"}} | {name: {"S": "x-y"}}
    assert concatenation("{a}-{b}").render(item) == Unmade(Problem.REFUSED, f"{name} holds a separator")


def test_a_value_that_runs_into_its_separator_is_refused() -> None:
    assert isinstance(concatenation("{a}--{b}").render({"a": {"S": "x-"}, "b": {"S": "y"}}), Unmade)


def test_a_negative_number_holds_a_dash() -> None:
    assert isinstance(concatenation("{a}-{b}").render({"a": {"N": "-5"}, "b": {"S": "y"}}), Unmade)


def test_escaping_puts_a_backslash_before_separators_and_backslashes() -> None:
    item = {"a": {"S": "x-y\\"}, "b": {"S": "z"}}
    assert concatenation("{a}-{b}", Separator.ESCAPE).render(item) == {"S": "x\\-y\\\\-z"}


def test_keeping_joins_the_values_as_they_are() -> None:
    item = {"a": {"S": "x-y"}, "b": {"S": "z"}}
    assert concatenation("{a}-{b}", Separator.KEEP).render(item) == {"S": "x-y-z"}
    assert concatenation("{a}{b}", Separator.KEEP).render(item) == {"S": "x-yz"}


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


def test_a_brace_that_is_alone_is_refused() -> None:
    with refused(InputError, 'the template "{a"', rule="position 0"):
        Concatenation.parse("{a", Separator.REFUSE, "set.made")


@pytest.mark.parametrize(("kind", "value"), [("N", "1"), ("B", b"\xd4")])
def test_escaping_refuses_what_another_type_s_text_could_be(kind: str, value: Any) -> None:
    """The string "1" has the text of the number 1."""
    unmade = concatenation("{a}-{b}", Separator.ESCAPE).render({"a": {"S": "x"}, "b": {kind: value}})
    assert isinstance(unmade, Unmade)
    assert unmade.problem is Problem.REFUSED
    assert unmade.reason == f'b has type {kind}; with separator "escape" only strings can be joined'
    assert concatenation("{b}", Separator.ESCAPE).render({"b": {kind: value}}) == {kind: value}


SCALARS = st.one_of(
    st.builds(lambda text: {"S": text}, st.text(st.sampled_from(list("ab1-#\\.=")), max_size=4)),
    st.builds(lambda number: {"N": str(number)}, st.sampled_from(["1", "-1", "1.1", "11", "0"])),
    st.builds(lambda content: {"B": content}, st.sampled_from([b"", b"\x00", b"\x69\xb7", b"\xd7"])),
)


@given(st.tuples(SCALARS, SCALARS), st.tuples(SCALARS, SCALARS), st.sampled_from(["-", "--", "#", "a", "N", "1"]))
def test_escaped_items_of_any_types_have_the_same_value_only_if_they_are_the_same(
    one: tuple[Item, ...], other: tuple[Item, ...], between: str
) -> None:
    assume(one != other)
    made = concatenation(f"{{a}}{between}{{b}}", Separator.ESCAPE)
    values = [made.render(dict(zip("ab", item, strict=True))) for item in (one, other)]
    assert any(isinstance(value, Unmade) for value in values) or values[0] != values[1]


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
