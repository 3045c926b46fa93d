"""The Limit finds what fits into 4 KB, whatever DescribeTable said."""

import random

import pytest

from skipscan.limit import LimitPolicy


def after_pages(policy: LimitPolicy, item_bytes: int, pages: int = 200) -> int:
    chance = random.Random(7)
    for _ in range(pages):
        limit = policy.limit()
        page_bytes = sum(round(item_bytes * chance.uniform(0.8, 1.2)) for _ in range(limit))
        policy.observe(limit, limit, steps=-(-page_bytes // 4096))
    return policy.limit()


@pytest.mark.parametrize("said_bytes", [0, 1, 100, 500, 10_000, 400_000])
@pytest.mark.parametrize(("item_bytes", "least", "most"), [(150, 20, 34), (500, 6, 11), (3000, 1, 2), (10_000, 1, 1)])
def test_finds_what_fits_into_one_step(said_bytes: int, item_bytes: int, least: int, most: int) -> None:
    assert least <= after_pages(LimitPolicy.expecting(said_bytes), item_bytes) <= most


def test_a_page_that_ended_before_its_limit_teaches_nothing() -> None:
    policy = LimitPolicy(8.0)
    policy.observe(limit=8, evaluated=3, steps=1)
    assert policy == LimitPolicy(8.0)
