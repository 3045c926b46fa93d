"""Every input is either a retrofit or refused with a message; nothing else happens to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.errors import InputError
from skipscan.items.concatenation import Separator
from skipscan.retrofit.input import RetrofitInput, parse_retrofit
from tests.house.suite.examples import examples
from tests.refusal import refused

TEMPLATES = st.lists(
    st.sampled_from(["{a}", "{b}", "-", "#", "{{", "}}", "{", "}", "\\", "é", "\ud800", ""]), max_size=6
).map("".join)


def test_a_retrofit_writes_only_on_request() -> None:
    assert parse_retrofit({"table": "Audit", "set": {"made": "{a}"}}).dry_run is True
    assert parse_retrofit({"table": "Audit", "resume": "run-1"}) == RetrofitInput(
        table="Audit", dry_run=False, resume="run-1"
    )


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ({}, "is missing; a retrofit sets or removes attributes"),
        ({"set": {}}, "attribute"),
        ({"set": {"made": "{a}" + 9_000 * "\u00e9"}}, "long|bytes"),
    ],
)
def test_what_is_set_is_refused_by_its_name(asked: dict[str, object], rule: str) -> None:
    with pytest.raises(InputError, match=rule) as raised:
        parse_retrofit({"table": "Audit", **asked})
    assert str(raised.value).startswith("set ")


def test_attributes_may_be_only_removed() -> None:
    asked = parse_retrofit({"table": "Audit", "remove": ["old", "older"]})
    assert (asked.templates, asked.remove) == ({}, ("old", "older"))


@pytest.mark.parametrize("removes", ["old", [], ["old", "old"], [""], [1], [f"a{number}" for number in range(11)]])
def test_a_list_to_remove_that_cannot_be_is_refused(removes: object) -> None:
    with refused(InputError, "remove", removes, rule="a list of 1 to 10 names of attributes, each once"):
        parse_retrofit({"table": "Audit", "remove": removes})


@settings(max_examples=examples(500), deadline=None)
@given(st.dictionaries(st.text(max_size=5), TEMPLATES | st.text(max_size=12), max_size=3), st.sampled_from(Separator))
def test_any_set_is_one_or_is_refused_in_words(templates: dict[str, str], separator: Separator) -> None:
    said = ""
    try:
        asked = parse_retrofit({"table": "Audit", "set": templates, "separator": separator})
    except InputError as error:
        said = str(error)
    assert said or dict(asked.templates) == templates
    assert said.isprintable(), said.encode("unicode_escape")


def test_indexes_are_counted_against_what_a_verification_finds() -> None:
    asked = {"table": "Audit", "set": {"made": "{a}"}, "count_indexes": True}
    assert parse_retrofit(asked).count_indexes
    with refused(InputError, "count_indexes", True, "verify count_indexes", verify=False):
        parse_retrofit({**asked, "verify": False})
