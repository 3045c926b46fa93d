"""What a test says of a refusal: facts, not sentences. A few golden texts elsewhere check the words."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from skipscan.errors import OMITTED, Mention, SkipscanError


@contextmanager
def refused(
    error: type[SkipscanError], field: str, value: object = OMITTED, remedy: str = "", **beside: object
) -> Iterator[None]:
    """Expect the refusal of a field's value. `remedy`: the fields that the way out names, in its order."""
    with pytest.raises(error) as raised:
        yield
    said = raised.value
    assert (said.field, said.value, said.beside) == (field, value, beside)
    named = [name for part in said.way if isinstance(part, Mention) for name in part.fields]
    assert named == remedy.split()
    assert said.remedy
