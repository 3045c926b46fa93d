"""What a test says of a refusal: facts, not sentences. A few golden texts elsewhere check the words."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from skipscan.errors import OMITTED, Mention, SkipscanError, give


@contextmanager
def refused(
    error: type[SkipscanError],
    field: str,
    value: object = OMITTED,
    remedy: str | Mapping[str, object] = "",
    *,
    rule: str = "",
    **others: object,
) -> Iterator[None]:
    """Expect the refusal of a field's value.

    `remedy`: the fields that the way out names, in its order; with the values to give them, where a test says those.
    `rule`: a regular expression for the facts in the rule, such as a bound or a name.
    """
    with pytest.raises(error) as raised:
        yield
    said = raised.value
    assert (said.field, said.value, said.others) == (field, value, others)
    mentioned = [part for part in said.way if isinstance(part, Mention)]
    if isinstance(remedy, str):
        assert [name for part in mentioned for name in part.fields] == remedy.split()
    else:
        assert mentioned == [give(name, it) for name, it in remedy.items()]
    assert re.search(rule, said.rule)
    assert said.remedy
