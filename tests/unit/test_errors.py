"""An error is data; its text names each input field in the words of its reader, and leads to one page."""

import json
import zlib
from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from skipscan import errors
from skipscan.errors import (
    OMITTED,
    BudgetError,
    InputError,
    Mention,
    Use,
    give,
    intact,
    leave_out,
    named,
    page,
    parts_of,
    read_on,
    rendered,
)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (InputError("segments", 5, "at most 4", ""), "segments is 5; at most 4"),
        (
            InputError("segments", 5, "at most 4 workers", "give more", others={"workers": 2}),
            "segments is 5 and workers is 2; at most 4 workers: give more",
        ),
        (InputError("table", rule="has no sort key", remedy=""), "table has no sort key"),
        (InputError(named("table"), rule=f"needs {give('take', 'last')}", remedy=""), 'table needs "take": "last"'),
        (InputError("it is so", remedy=f"use {named('resume')}", rule=""), "it is so: use resume"),
        (
            InputError(
                f"either {' or '.join(map(named, ['index', 'take']))}",
                rule="",
                remedy="",
            ),
            "either index or take",
        ),
        (InputError("a mistake", remedy=leave_out("index", "take"), rule=""), "a mistake: leave index or take out"),
    ],
)
def test_an_error_says_the_fact_and_the_remedy(error: InputError, said: str) -> None:
    assert str(error) == said
    assert str(InputError.from_json({**error.to_json(), "page": None})) == said


def test_an_error_with_a_value_mentions_its_fields() -> None:
    error = InputError("segments", 5, "at most 4", "", others={"workers": 2})
    stated = [Mention(("segments",), Use.IS, "5"), " and ", Mention(("workers",), Use.IS, "2"), "; at most 4"]
    assert parts_of(error.fact) == stated
    assert InputError("table", rule="is full", remedy="").fact == f"{named('table')} is full"
    assert rendered(error.text, lambda mention: f"--{mention.fields[0]} {mention.value}") == (
        "--segments 5 and --workers 2; at most 4"
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


def test_an_error_that_is_not_of_a_document_passes() -> None:
    with pytest.raises(OSError, match="disk"), intact(InputError("the document", rule="is not whole", remedy="")):
        raise OSError("disk")


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


@pytest.mark.parametrize("name", [errors.ERRORS, errors.RESUME])
def test_a_page_of_a_checkout_is_there(name: str) -> None:
    path, _, heading = str(page(name)).partition("#")
    assert f"\n## {heading.capitalize()}" in Path(path).read_text(encoding="utf-8")


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


def test_an_installation_without_an_address_names_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "DOCUMENTATION", "https://example.com/docs")
    assert page("errors.md#resume") == "https://example.com/docs/errors.md#resume"
    monkeypatch.setattr(errors, "DOCUMENTATION", "")
    assert page("errors.md#resume") is None


def test_an_error_with_another_way_out_is_the_same_but_for_that() -> None:
    error = BudgetError("the budget", OMITTED, "is used up", "resume it", others={"max_read_units": 4})
    other = error.with_way(f"give it a larger {named('max_read_units')}")
    assert str(other) == "the budget is used up: give it a larger max_read_units"
    assert (type(other), other.fact, other.rule, other.others) == (BudgetError, error.fact, error.rule, error.others)
    assert str(error) == "the budget is used up: resume it"
