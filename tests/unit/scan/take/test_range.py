"""A run with a range: exactly the collections with an item in it, with the first and the last of those items."""

from typing import Any

import pytest

from skipscan.errors import InputError
from tests.fakes.turns import planned
from tests.refusal import refused
from tests.unit.scan.take.test_last import customers


@pytest.mark.parametrize(
    ("asked", "rule", "remedy"),
    [
        ({"prefix": 7}, "a text of at least one character", ""),
        ({"since": True}, "a sort key", ""),
        ({"until": ""}, "a sort key", ""),
        ({"between": ["a"]}, "a list of the first and the last sort key", ""),
        ({"prefix": "a", "until": "b"}, "a run has one range of sort keys", "prefix until"),
        ({"since": "b", "until": "a"}, "the range would end before it begins", ""),
        ({"between": ["b", "a"]}, "the range would end before it begins", ""),
        ({"since": "1e126", "index": "by-since"}, "it is not a number of up to 38 digits, from 1E-130", ""),
        ({"since": 2026}, 'the sort key "sk" of "Customers" is of type S', ""),
        ({"prefix": "a" * 1025}, "it must have 1 to 1024 bytes", ""),
        ({"prefix": "1", "index": "by-since"}, "of type N, and a number has no prefix", "since until"),
        ({"since": "today", "index": "by-since"}, "it is not a number of", ""),
        ({"since": "1", "index": "by-country"}, '"by-country" has no sort key, so its items have no range', "since"),
        ({"since": "1", "resume": "r"}, "a resumed run keeps its plan", "since"),
    ],
)
def test_a_range_that_cannot_be_is_refused(asked: dict[str, Any], rule: str, remedy: str) -> None:
    (field, value), *others = asked.items()
    beside = {name: other for name, other in others if name != "index"}
    with refused(InputError, field, value, remedy, rule=rule, **beside):
        planned(customers(1, 1), table="Customers", **asked)
