"""The item of a key: its values, and what no item may have as a key attribute."""

from typing import Any

import pytest

from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import OMITTED, InputError
from skipscan.items.template import ItemTemplate, Template, parse_value
from tests.refusal import refused

PK = KeyAttribute("pk", "S")
KEYS = (PK, KeyAttribute("sk", "S"), KeyAttribute("GSI-pk", "S"), KeyAttribute("rank", "N"), KeyAttribute("raw", "B"))


def item(document: Any) -> ItemTemplate:
    return ItemTemplate.parse(document, "put_item.item")


def test_every_json_value_has_its_attribute_value() -> None:
    template = item(
        {
            "text": "a {pk}",
            "whole": 7,
            "broken": 0.5,
            "yes": True,
            "nothing": None,
            "list": ["{pk}", [1]],
            "map": {"of": {"pk": "{pk}"}},
            "exact": {"N": "0.10"},
            "raw": {"B": "AP8="},
            "literal": {"S": "{pk}"},
            "set": {"SS": ["a", "b"]},
        }
    )
    assert template.render({"pk": {"N": "5"}}) == {
        "text": {"S": "a 5"},
        "whole": {"N": "7"},
        "broken": {"N": "0.5"},
        "yes": {"BOOL": True},
        "nothing": {"NULL": True},
        "list": {"L": [{"N": "5"}, {"L": [{"N": "1"}]}]},
        "map": {"M": {"of": {"M": {"pk": {"N": "5"}}}}},
        "exact": {"N": "0.10"},
        "raw": {"B": b"\x00\xff"},
        "literal": {"S": "{pk}"},
        "set": {"SS": ["a", "b"]},
    }


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        ({"sk": None}, "is null; .* must be a string"),
        ({"GSI-pk": None}, "is null"),
        ({"GSI-pk": ""}, "has 0 bytes"),
        ({"sk": "x" * 1025}, "has 1025 bytes"),
        ({"sk": "é" * 513}, "has 1026 bytes"),
        ({"sk": 5}, "is a number; .* must be a string"),
        ({"rank": "5"}, "is a string; .* must be a number"),
        ({"rank": "{pk}"}, "is a string"),
        ({"raw": "text"}, "is a string; .* must be binary"),
        ({"sk": ["a"]}, "is a list, map or set"),
        ({"sk": {"a": "b"}}, "is a list, map or set"),
    ],
)
def test_a_key_attribute_that_dynamodb_would_refuse_is_refused_first(document: dict[str, Any], rule: str) -> None:
    (name,) = document
    with refused(InputError, f"put_item.item.{name}", rule=rule):
        item(document).check("put_item.item", [PK], KEYS)


def test_a_single_placeholder_has_the_type_of_its_attribute() -> None:
    item({"rank": "{pk}"}).check("put_item.item", [KeyAttribute("pk", "N")], KEYS)


def test_a_template_names_nothing_but_attributes_of_the_key() -> None:
    with refused(InputError, "put_item.item", rule=r'names "\{id\}"; only \{pk\} is known'):
        item({"text": "{id}"}).check("put_item.item", [PK], KEYS)


NAN = float("nan")


@pytest.mark.parametrize(
    ("document", "field", "value", "rule"),
    [
        ([], "", OMITTED, r"^is \[\]; .* an object"),
        ({}, "", OMITTED, "^is {}; .* an object"),
        ({"": 1}, "", OMITTED, "without a name"),
        ({"a": {"N": "x"}}, ".a", {"N": "x"}, '"x" is not a number'),
        ({"a": NAN}, ".a", NAN, "DynamoDB can store"),
        ({"a": [10**50 + 1]}, ".a[0]", {"N": str(10**50 + 1)}, "more than 38 digits"),
        ({"a": 10**5000}, ".a", 10**5000, "DynamoDB can store"),  # Python turns no such int into text
    ],
    ids=["list", "empty", "name", "number", "nan", "digits", "huge"],
)
def test_a_value_that_is_not_an_item_is_refused(document: Any, field: str, value: object, rule: str) -> None:
    with refused(InputError, f"put_item.item{field}", value, rule=rule):
        item(document)


# Text with placeholders: what it needs, what it gives, and what it refuses.


@pytest.mark.parametrize(
    ("value", "text"),
    [({"S": "a{b}"}, "a{b}"), ({"N": "-12.50"}, "-12.50"), ({"B": b"\x00\xff"}, "AP8="), ({"S": ""}, "")],
)
def test_in_a_text_every_value_has_its_stated_form(value: dict[str, Any], text: str) -> None:
    assert Template.parse("<{pk}>").render({"pk": value}) == {"S": f"<{text}>"}


@pytest.mark.parametrize(
    ("text", "position"), [("{", 0), ("a}", 1), ("{}", 0), ("{a", 0), ("{a{b}", 0), ("{{{a}}", 5), ("x{{}", 3)]
)
def test_a_brace_that_is_alone_is_refused(text: str, position: int) -> None:
    with refused(InputError, f'the template "{text}"', rule=f"position {position} ", way="{{ and }}"):
        Template.parse(text)


# DynamoDB takes 32 levels of lists and maps; a deeper template is refused before anything is written.


def nested(levels: int, *, kind: str) -> object:
    document: object = "{id}"
    for _ in range(levels):
        document = [document] if kind == "list" else {"inner": document}
    return document


@pytest.mark.parametrize("kind", ["list", "map"])
def test_the_deepest_template_that_dynamodb_takes_is_taken_and_the_next_refused(kind: str) -> None:
    parse_value(nested(32 - 1, kind=kind), "item.a")
    for levels in (32, 100):
        with pytest.raises(InputError) as raised:
            parse_value(nested(levels, kind=kind), "item.a")
        said = raised.value
        assert (said.field.startswith("item.a"), said.value) == (True, OMITTED)
        assert said.rule == "is nested too deeply; DynamoDB allows 32 levels"
