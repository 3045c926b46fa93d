"""The assignments that an item needs, and the restrictions of the table's keys and indexes."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, InputError
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Concatenation, Problem, Separator, Unmade
from tests.refusal import refused

DESCRIPTION: dict[str, Any] = {
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [
        {"AttributeName": "id", "AttributeType": "S"},
        {"AttributeName": "made", "AttributeType": "S"},
        {"AttributeName": "copy", "AttributeType": "N"},
        {"AttributeName": "sorted", "AttributeType": "S"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-made",
            "KeySchema": [{"AttributeName": "made", "KeyType": "HASH"}, {"AttributeName": "copy", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "by-sorted",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "sorted", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def assignments(**templates: str) -> Assignments:
    return Assignments.parse(templates, Separator.REFUSE).described(TableDescription.from_json(DESCRIPTION))


def test_a_change_names_what_is_set_and_all_that_it_rests_on() -> None:
    item = {"id": {"S": "1"}, "a": {"S": "x"}, "b": {"N": "2"}, "made": {"S": "old"}, "other": {"S": "z"}}
    assert assignments(made="{a}-{b}").judge(item) == Update(
        {"made": {"S": "x-2"}}, {"made": {"S": "old"}, "a": {"S": "x"}, "b": {"N": "2"}}
    )


def test_a_target_that_is_absent_must_still_be_absent() -> None:
    change = assignments(made="{a}").judge({"id": {"S": "1"}, "a": {"S": "x"}})
    assert change == Update({"made": {"S": "x"}}, {"made": None, "a": {"S": "x"}})


RENAMED = Assignments.parse({"new": "{old}"}, Separator.REFUSE, ["old"])


@pytest.mark.parametrize("value", [{"S": "x"}, {"M": {"a": {"NULL": True}}}, {"SS": ["x"]}])
def test_a_rename_moves_a_value_of_any_type_in_one_change_and_is_done_once(value: Item) -> None:
    first = {"id": {"S": "1"}, "old": value}
    assert RENAMED.judge(first) == Update({"new": value}, {"old": value, "new": None}, ("old",))
    assert RENAMED.judge({"id": {"S": "1"}, "new": value}) is None
    assert RENAMED.judge({"id": {"S": "1"}}) == Unmade(Problem.LACKING, "old is lacking")


def test_a_rename_overwrites_no_other_value_and_removes_the_old_one_only_beside_its_copy() -> None:
    other = Unmade(Problem.REFUSED, "new exists with another value than its template makes")
    assert RENAMED.judge({"old": {"N": "1"}, "new": {"N": "2"}}) == other
    both = {"old": {"N": "1"}, "new": {"N": "1.0"}}
    assert RENAMED.judge(both) == Update({}, {"old": {"N": "1"}, "new": {"N": "1.0"}}, ("old",))


@pytest.mark.parametrize("removes", [["a"], ["b"], ["a", "b"]])
def test_a_target_stays_once_all_removed_sources_are_gone_and_no_source_is_lost_before(removes: list[str]) -> None:
    item = {"a": {"S": "x"}, "b": {"S": "y"}}
    joined = Assignments.parse({"made": "{a}-{b}"}, Separator.REFUSE, removes)
    change = joined.judge(item)
    assert change == Update({"made": {"S": "x-y"}}, {**item, "made": None}, tuple(removes))
    left = {name: value for name, value in item.items() if name not in removes}
    assert joined.judge({**left, "made": {"S": "x-y"}}) is None
    assert isinstance(joined.judge({removes[0]: {"S": "later"}, "made": {"S": "x-y"}}), Unmade)


def test_a_value_of_any_type_replaces_one_of_its_own_type() -> None:
    moved = Assignments.parse({"new": "{old}"}, Separator.REFUSE)
    old: Item = {"M": {"a": {"N": "1"}}}
    new: Item = {"M": {}}
    assert moved.judge({"old": old, "new": new}) == Update({"new": old}, {"new": new, "old": old})
    assert isinstance(moved.judge({"old": old, "new": {"L": []}}), Unmade)


def test_an_attribute_is_removed_as_it_was_read_with_the_change_or_not_at_all() -> None:
    only = Assignments.parse({}, Separator.REFUSE, ["old", "other"])
    assert only.judge({"old": {"L": []}, "a": {"S": "x"}}) == Update({}, {"old": {"L": []}}, ("old",))
    assert only.judge({"a": {"S": "x"}}) is None
    more = Assignments.parse({"made": "{a}"}, Separator.REFUSE, ["old"])
    assert isinstance(more.judge({"old": {"S": "x"}}), Unmade)
    right = {"a": {"S": "x"}, "made": {"S": "x"}}
    assert more.judge({**right, "old": {"S": "x"}}) == Update({}, {"old": {"S": "x"}}, ("old",))


@pytest.mark.parametrize(
    ("removes", "rule", "way"),
    [
        ("id", "is a key attribute of the table", "leave it out"),
        ("copy", "is a key of index by-made, which would lose the items", "delete the index"),
        ("sorted", "is a key of index by-sorted, which would lose the items", "delete the index"),
        ("set", "is also set", "leave it out of one of them"),
    ],
)
def test_an_attribute_that_must_stay_is_not_removed(removes: str, rule: str, way: str) -> None:
    with refused(InputError, "remove", removes, way=way, rule=rule, **({"set": "set"} if removes == "set" else {})):
        Assignments.parse({"set": "{a}"}, Separator.REFUSE, [removes]).described(
            TableDescription.from_json(DESCRIPTION)
        )


@pytest.mark.parametrize("existing", [{"M": {}}, {"L": []}, {"SS": ["a"]}])
def test_a_target_that_holds_more_than_a_value_is_left_alone(existing: dict[str, Any]) -> None:
    verdict = assignments(made="{a}").judge({"a": {"S": "x"}, "made": existing})
    assert isinstance(verdict, Unmade)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"S": ""}, "made would be empty, and it is a key of index by-made"),
        ({"S": "é" * 1025}, "made would have more than 2048 bytes, and it is a key of index by-made"),
        ({"N": "1"}, "made would have type N, but index by-made needs type S"),
    ],
)
def test_a_key_of_an_index_is_refused_where_dynamodb_would_refuse_it(value: dict[str, Any], words: str) -> None:
    assert assignments(made="{a}").judge({"a": value}) == Unmade(Problem.REFUSED, words)


@pytest.mark.parametrize(
    ("templates", "rule"),
    [
        ({"id": "{a}"}, "is a key attribute of the table"),
        ({"copy": "{a}-{b}"}, "makes values of type S; in index by-made it is a key of type N"),
    ],
)
def test_a_target_that_no_item_could_have_is_refused(templates: dict[str, str], rule: str) -> None:
    (name,) = templates
    with refused(InputError, f"set.{name}", rule=rule):
        assignments(**templates)


@pytest.mark.parametrize(
    ("document", "field", "rule"),
    [
        ([], "set", "must be an object"),
        ({}, "set", "must be an object"),
        ({"": "{a}"}, "set", "without a name"),
        ({"made": "{a}\ud800{b}"}, "set", "lone surrogate"),
        ({"a": "{a}-{b}"}, "set.a", "also a source of an attribute"),
        ({"made": "{a}", "b": "{b}-{c}"}, "set.b", "also a source of an attribute"),
        ({f"t{n}": "{a}" for n in range(11)}, "set", "can set 10"),
        ({"t": "-".join(f"{{s{n}}}" for n in range(31))}, "set", "made of 30"),
    ],
)
def test_a_set_that_cannot_be_is_refused(document: object, field: str, rule: str) -> None:
    with refused(InputError, field, OMITTED if document else document, rule=rule):
        Assignments.parse(document, Separator.REFUSE)


# The functions of templates: their results, and what they refuse.


def made(template: str, item: Any) -> Any:
    """Return the value of the attribute `to`, or why it has none."""
    judged = Assignments.parse({"to": template}, Separator.REFUSE).judge(item)
    return judged.values["to"] if isinstance(judged, Update) else judged and judged.reason


NINES = "9" * 38


@pytest.mark.parametrize(
    ("template", "value", "result"),
    [
        ("{a|ms_to_s}", {"N": "1800000000999"}, {"N": "1800000000"}),
        ("{a|ms_to_s}", {"N": "1800000000"}, {"N": "1800000000"}),
        ("{a|ms_to_s}", {"N": "1800000000999000"}, "a holds no time in milliseconds or seconds"),
        ("{a|ms_to_s}", {"N": NINES}, "a holds no time in milliseconds or seconds"),
        ("{a|ms_to_s}", {"S": "1800000000999"}, "a holds no time in milliseconds or seconds"),
        ("{a|number}", {"S": "-12.50"}, {"N": "-12.50"}),
        ("{a|number}", {"S": "1e3"}, {"N": "1e3"}),
        ("{a|number}", {"N": "7"}, {"N": "7"}),
        ("{a|number}", {"S": "1e999"}, "a holds no number that DynamoDB can store"),
        ("{a|number}", {"S": "1" * 39}, "a holds no number that DynamoDB can store"),
        ("{a|number}", {"S": " 7"}, "a holds no number that DynamoDB can store"),
        ("{a|string}", {"N": "7"}, {"S": "7"}),
        ("{a|string}", {"S": "x"}, {"S": "x"}),
        ("{a|string}", {"B": b"x"}, "a is no string or number"),
        ("{a|epoch}", {"S": "2026-01-01T01:00:00.9+01:00"}, {"N": "1767225600"}),
        ("{a|epoch}", {"S": "2026-01-01"}, {"N": "1767225600"}),
        ("{a|epoch}", {"S": "1969-12-31T23:59:59.5Z"}, {"N": "-1"}),
        ("{a|epoch}", {"N": "5"}, {"N": "5"}),
        ("{a|epoch}", {"S": "1712011500000"}, "a holds no time in ISO 8601"),
        ("{a|epoch}", {"S": "20260101"}, "a holds no time in ISO 8601"),
        ("{a|epoch}", {"S": "yesterday"}, "a holds no time in ISO 8601"),
        ("{a|epoch}", {"L": []}, "a holds no time in ISO 8601"),
        ("{a|epoch+90d}", {"S": "2026-01-01T00:00:00Z"}, {"N": str(1767225600 + 90 * 86_400)}),
        ("{a|epoch-1w}", {"N": "604800"}, {"N": "0"}),
        ("{a|epoch+1d}", {"N": NINES}, "a is out of the range of times"),
        ("T#{a|epoch}", {"S": "2026-01-01"}, {"S": "T#1767225600"}),
    ],
)
def test_a_function_has_a_declared_result_or_says_why_not(template: str, value: Any, result: object) -> None:
    assert made(template, {"a": value}) == result


def test_an_attribute_may_be_set_from_itself_if_a_second_time_changes_nothing() -> None:
    mended = Assignments.parse({"expires": "{expires|ms_to_s}"}, Separator.REFUSE)
    change = mended.judge({"expires": {"N": "1800000000999"}})
    assert isinstance(change, Update)
    assert (change.values, change.read) == ({"expires": {"N": "1800000000"}}, {"expires": {"N": "1800000000999"}})
    assert mended.judge({**change.values}) is None
    assert isinstance(mended.judge({}), Unmade)


# The value of an attribute made of others; two items never get the same value by default.


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
