"""An error is data; its text names each input field in the words of its reader, and leads to one page."""

import json
import zlib
from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest

from skipscan import errors
from skipscan.errors import (
    OMITTED,
    InputError,
    Mention,
    Use,
    give,
    intact,
    leave_out,
    named,
    parts_of,
    read_on,
)


@pytest.mark.parametrize(
    ("text", "document"),
    [
        (named("take"), {"fields": ["take"], "use": "name", "value": ""}),
        (Mention(("segments",), Use.IS, "5").marked, {"fields": ["segments"], "use": "is", "value": "5"}),
        (give("take", "last"), {"fields": ["take"], "use": "give", "value": '"last"'}),
        (leave_out("index", "take"), {"fields": ["index", "take"], "use": "leave", "value": ""}),
        ("a text", "a text"),
    ],
)
def test_the_command_line_reads_the_texts_of_a_deployed_version(text: str, document: object) -> None:
    """Its own version may be another one."""
    error = InputError("the input", OMITTED, "is wrong", text)
    sent = json.loads(json.dumps(error.to_json()))
    assert sent == {"fact": [{"fields": ["the input"], "use": "name", "value": ""}, " is wrong"], "remedy": [document]}
    assert InputError.from_json({**sent, "page": None}).way == text


@pytest.mark.parametrize("name", ["\ue000name\ue001\ue001take\ue002", "\ue002", "\ue000is\ue001", "\ue001"])
def test_a_name_with_the_marks_of_a_mention_is_no_other_mention(name: str) -> None:
    fact = f"{named(name)} is {name}"
    assert [part.fields[0][-1:] for part in parts_of(fact) if isinstance(part, Mention)][:1] == ["\ufffd"]
    assert str(InputError(fact, rule="", remedy=give(name, name)))


def nested() -> None:
    json.loads("[" * 100_000)


@pytest.mark.parametrize(
    "read",
    [
        lambda: timedelta(seconds=json.loads("1e300")),
        lambda: int(json.loads("Infinity")),
        lambda: Decimal("seven") + 1,
        lambda: json.loads("7").get("keys"),
        lambda: json.loads("{}")["keys"],
        lambda: json.loads("[]")[0],
        nested,
        lambda: json.loads("[]")["keys"],
        lambda: json.loads("{"),
        lambda: b64decode("a"),
        lambda: zlib.decompress(b"text"),
    ],
    ids=["seconds", "infinite", "digits", "attribute", "field", "entry", "depth", "kind", "JSON", "base64", "zlib"],
)
def test_whatever_a_document_that_somebody_changed_raises_is_one_refusal(read: Callable[[], object]) -> None:
    refusal = InputError("the document", rule="is not whole", remedy="use another")
    with pytest.raises(InputError) as raised, intact(refusal):
        read()
    assert raised.value is refusal


def test_an_error_keeps_its_value_when_its_texts_change() -> None:
    error = InputError("secret", "a secret", "no secret", f"not the {named('secret')}").with_texts(
        lambda text: text.replace("secret", "..")
    )
    assert (error.field, error.value, error.rule, error.remedy) == ("..", "a secret", "no ..", "not the ..")
    assert str(error) == '.. is "a secret"; no ..: not the ..'


@pytest.mark.parametrize(
    ("message", "whole"),
    [
        ("it is so: do that", "it is so: do that (see errors.md)"),
        ("it is so: do that.", "it is so: do that (see errors.md)"),
        ("it is cut...", "it is cut... (see errors.md)"),
        ("it is so (see limits.md)", "it is so (see limits.md)"),
    ],
)
def test_a_message_names_one_page(message: str, whole: str) -> None:
    assert read_on(message, "errors.md") == whole


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (errors.InputError, "errors.md"),
        (errors.TableError, "errors.md"),
        (errors.BudgetError, "errors.md#resume"),
        (errors.IncompleteRunError, "errors.md#resume"),
        (errors.StateError, "errors.md#resume"),
        (errors.BatchError, "errors.md"),
        (errors.DeniedError, "errors.md"),
        (errors.NotFoundError, "errors.md"),
        (errors.UnprovenError, "errors.md"),
    ],
)
def test_each_error_has_its_page(error: type[errors.SkipscanError], name: str) -> None:
    assert error.page == name
