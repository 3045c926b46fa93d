"""What a test says of a refusal: facts, not sentences. A few golden texts elsewhere check the words."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

import pytest

from skipscan.errors import OMITTED, Mention, SkipscanError, give, parts_of, rendered
from skipscan.inputs.names import quoted

PHRASE = re.compile(r"(?<![\w.-])[a-z']+( [a-z']+){3}(?![\w-])")
"""Four plain words in a row: English, and no fact."""


@dataclass(frozen=True)
class ExpectedRefusal:
    """What a test says of the refusal of a field's value.

    `remedy`: the fields that the way out names, in its order; with the values to give them, where a test says those.
    `rule`: a regular expression for the facts in the rule, such as a bound or a name; `way`: for those in the way out,
    such as a command. `others`: other fields that the rule is about, with their values.
    """

    field: str
    value: object
    remedy: str | Mapping[str, object]
    rule: str
    way: str
    others: Mapping[str, object]

    @classmethod
    def of(
        cls,
        field: str,
        value: object = OMITTED,
        remedy: str | Mapping[str, object] = "",
        *,
        rule: str = "",
        way: str = "",
        **others: object,
    ) -> Self:
        return cls(field, value, remedy, rule, way, others)


@contextmanager
def refused(error: type[SkipscanError], *held: Any, **facts: Any) -> Iterator[pytest.ExceptionInfo[SkipscanError]]:
    """Expect a refusal; the parameters are those of `ExpectedRefusal.of`."""
    with pytest.raises(error) as raised:
        yield raised
    check_refusal(raised.value, error, *held, **facts)


def check_refusal(said: BaseException | None, error: type[SkipscanError], *held: Any, **facts: Any) -> None:
    """Check an error that was caught; the other parameters are those of `ExpectedRefusal.of`."""
    expected = ExpectedRefusal.of(*held, **facts)
    assert isinstance(said, error), repr(said)
    found = (said.field, said.value, said.others)
    assert found == (expected.field, expected.value, expected.others), found
    check_way(said.way, expected)
    assert re.search(expected.rule, said.rule), said.rule


def answered(answer: Mapping[str, Any], error: type[SkipscanError], *held: Any, **facts: Any) -> None:
    """Check that a function answered with a refusal; the other parameters are those of `ExpectedRefusal.of`."""
    expected = ExpectedRefusal.of(*held, **facts)
    assert answer.get("error") == error.__name__, answer
    sent = SkipscanError.from_json(answer["refusal"])
    fact = rendered(sent.fact)
    values = {expected.field: expected.value, **expected.others}
    start = f"{expected.field} "
    if expected.value is not OMITTED:
        start = " and ".join(f"{name} is {quoted(it)}" for name, it in values.items()) + "; "
    assert fact.startswith(start), fact
    assert re.search(expected.rule, fact.removeprefix(start))
    check_way(sent.way, expected)


def check_way(said: str, expected: ExpectedRefusal) -> None:
    mentioned = [part for part in parts_of(said) if isinstance(part, Mention)]
    if isinstance(expected.remedy, str):
        assert [name for part in mentioned for name in part.fields] == expected.remedy.split(), mentioned
    else:
        assert [part.marked for part in mentioned] == [give(name, it) for name, it in expected.remedy.items()], (
            mentioned
        )
    assert re.search(expected.way or ".", rendered(said)), rendered(said)


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
