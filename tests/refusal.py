"""What a test says of a refusal: facts, not sentences. A few golden texts elsewhere check the words."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from skipscan.errors import OMITTED, Mention, SkipscanError, give

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
    if isinstance(remedy, str):
        assert fields_of_the_way(said) == remedy.split()
    else:
        assert mentioned(said) == [give(name, it) for name, it in remedy.items()]
    assert re.search(rule, said.rule)
    assert re.search(way or ".", said.remedy)


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
        assert fields_of_the_way(said) == remedy.split()


def mentioned(error: SkipscanError) -> list[Mention]:
    return [part for part in error.way if isinstance(part, Mention)]


def fields_of_the_way(error: SkipscanError) -> list[str]:
    return [name for part in mentioned(error) for name in part.fields]
