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
    said = raised.value
    assert (said.field, said.value, said.others) == (field, value, others)
    check_way(said.way, remedy, way)
    assert re.search(rule, said.rule)


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
        assert [name for part in mentioned for name in part.fields] == remedy.split()
    else:
        assert mentioned == [give(name, it) for name, it in remedy.items()]
    assert re.search(way or ".", rendered(said))


@contextmanager
def failed(error: type[Exception], *facts: str, remedy: str = "") -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Expect an error that is one sentence, because no field is to blame: its class, and the facts in the sentence.

    `facts`: names, codes, numbers and commands, never a phrase. `remedy`: the fields that the way out names.
    """
    assert not [fact for fact in facts if PHRASE.search(fact)]
    with pytest.raises(error) as raised:
        yield raised
    said = raised.value
    assert [fact for fact in facts if fact not in str(said)] == []
    if isinstance(said, SkipscanError):
        assert type(said) is error
        assert [name for part in said.way if isinstance(part, Mention) for name in part.fields] == remedy.split()
