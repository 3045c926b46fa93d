"""What a test says of a refusal: facts, not sentences. A few golden texts elsewhere check the words."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from skipscan.errors import OMITTED, Mention, Part, SkipscanError, give, rendered, text_of
from skipscan.inputs.names import quoted

PHRASE = re.compile(r"(?<![\w.-])[a-z']+( [a-z']+){3}(?![\w-])")
"""Four plain words in a row: English, and no fact."""


@contextmanager
def refused(
    error: type[SkipscanError],
    field: str,
    value: object = OMITTED,
    remedy: str | Mapping[str, object] = "",
    *,
    rule: str = "",
    way: str = "",
    **others: object,
) -> Iterator[pytest.ExceptionInfo[SkipscanError]]:
    """Expect the refusal of a field's value.

    `remedy`: the fields that the way out names, in its order; with the values to give them, where a test says those.
    `rule`: a regular expression for the facts in the rule, such as a bound or a name; `way`: for those in the way out,
    such as a command.
    """
    with pytest.raises(error) as raised:
        yield raised
    check_refusal(raised.value, error, field, value, remedy, rule=rule, way=way, **others)


def check_refusal(
    said: BaseException | None,
    error: type[SkipscanError],
    field: str,
    value: object = OMITTED,
    remedy: str | Mapping[str, object] = "",
    *,
    rule: str = "",
    way: str = "",
    **others: object,
) -> None:
    """Check an error that was caught; the other parameters are those of `refused`."""
    assert isinstance(said, error), repr(said)
    found = (said.field, said.value, said.others)
    assert found == (field, value, others), found
    check_way(said.way, remedy, way)
    assert re.search(rule, said.rule), said.rule


def answered(
    answer: Mapping[str, Any],
    error: type[SkipscanError],
    field: str,
    value: object = OMITTED,
    remedy: str | Mapping[str, object] = "",
    *,
    rule: str = "",
    way: str = "",
    **others: object,
) -> None:
    """Check that a function answered with the refusal of a field's value; the parameters are those of `refused`."""
    assert answer.get("error") == error.__name__, answer
    fact = rendered(text_of(answer["refusal"]["fact"]))
    held = {field: value, **others}
    start = (
        f"{field} " if value is OMITTED else " and ".join(f"{name} is {quoted(it)}" for name, it in held.items()) + "; "
    )
    assert fact.startswith(start), fact
    assert re.search(rule, fact.removeprefix(start))
    check_way(text_of(answer["refusal"]["remedy"]), remedy, way)


def check_way(said: tuple[Part, ...], remedy: str | Mapping[str, object], way: str) -> None:
    mentioned = [part for part in said if isinstance(part, Mention)]
    if isinstance(remedy, str):
        assert [name for part in mentioned for name in part.fields] == remedy.split(), mentioned
    else:
        assert mentioned == [give(name, it) for name, it in remedy.items()], mentioned
    assert re.search(way or ".", rendered(said)), rendered(said)


@contextmanager
def failed(error: type[Exception], *facts: str) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Expect an error without a way out of its own, or one that is no refusal: its class, and the facts in its text.

    `facts`: names, codes, numbers and commands, never a phrase.
    """
    assert not [fact for fact in facts if PHRASE.search(fact)]
    with pytest.raises(error) as raised:
        yield raised
    said = raised.value
    assert [fact for fact in facts if fact not in str(said)] == [], str(said)
    if isinstance(said, SkipscanError):
        assert type(said) is error
        assert not said.remedy, "use `refused`"
