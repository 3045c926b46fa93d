"""A run that counts: the number of items of every group, each once, however pages, batches and engines are."""

from collections import Counter
from typing import Any

import pytest

from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run


def count(up_to: int | None) -> dict[str, Any]:
    return {"count": {} if up_to is None else {"up_to": up_to}}


@pytest.mark.parametrize("take", [{"count": {}}, {"items": "all"}], ids=["count", "items"])
@pytest.mark.parametrize("index", ["local", "global"])
def test_no_item_with_an_equal_sort_key_is_lost_or_repeated(index: str, take: dict[str, Any]) -> None:
    """A Query has those of an index in another order than a Scan, and a page ends among them."""
    pk, sk, day = KeyAttribute("pk", "S"), KeyAttribute("sk", "N"), KeyAttribute("day", "N")
    indexes = (
        IndexDefinition("local", KeySchema((pk,), (day,)), "local"),
        IndexDefinition("global", KeySchema((pk,), (day,))),
    )
    fake = FakeDynamoDB(
        TableDefinition("Generated", KeySchema((pk,), (sk,)), indexes),
        [
            {"pk": {"S": f"p{length}"}, "sk": {"N": f"{place}"}, "day": {"N": f"{place // 5}"}, "v": {"B": bytes(700)}}
            for length in range(1, 30)
            for place in range(length)
        ],
    )
    asked: dict[str, Any] = {"table": "Generated", "index": index, "segments": 1, "workers": 1, "strategy": "skip"}
    lookups = 0
    for since, until in ((0, 9), (1, 3), (2, 2)):
        outcome = run(fake, **asked, between=[since, until], take=take)
        lookups += outcome.counts.lookups
        expected = {f"p{n}": max(0, min(n, until * 5 + 5) - since * 5) for n in range(1, 30)}
        found = Counter[str]()
        for line in outcome.keys:
            found[line.key["S"]] += line.counted.items if line.counted else 1
        assert found == +Counter(expected)
    assert lookups > 10


def giants(lengths: dict[str, int], size: int = 100) -> FakeDynamoDB:
    items: list[Item] = [
        {"pk": {"S": key}, "sk": {"N": str(n)}, "v": {"B": bytes(size)}}
        for key, length in lengths.items()
        for n in range(length)
    ]
    return FakeDynamoDB(TableDefinition("Generated", KeySchema.of(("pk", "S"), ("sk", "N"))), items)


def test_small_groups_share_a_page() -> None:
    """As many items as fit into 4 KB cost the same as one, so a small bound makes no short pages."""
    few = run(giants(dict.fromkeys(map(str, range(200)), 2)), table="Generated", segments=1, take=count(1))
    assert few.counts.read_units < 200 * 0.5 / 4
    assert sum(line.counted.read_units for line in few.keys) == pytest.approx(few.counts.read_units, abs=1.0)
