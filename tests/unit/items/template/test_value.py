"""DynamoDB takes 32 levels of lists and maps; a deeper template is refused before anything is written."""

import pytest

from skipscan.errors import OMITTED, InputError
from skipscan.items.template import parse_value


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
