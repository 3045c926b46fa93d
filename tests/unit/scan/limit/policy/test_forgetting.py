"""When the policy takes the table for another one, and how soon it knows that one."""

from skipscan.scan.limit.policy import LimitPolicy

LONG = (8, (0,), 0.5)
"""A page of a long item collection of small items: evaluated items, places of new keys, read units."""

END = (0, (), 0.5)
"""The page at a segment's end."""

LARGE = (8, (0,), 20.0)
"""The same Limit where items have become large."""


def learnt(pages: int) -> LimitPolicy:
    policy = LimitPolicy()
    for _ in range(pages):
        policy.observe(*LONG)
    return policy


def test_segments_that_end_at_the_same_time_are_no_surprise() -> None:
    policy = learnt(5_000)
    limit = policy.limit()
    for _ in range(128):
        policy.observe(*END)
    assert policy.pages == 5_128
    assert policy.limit() <= 2 * limit


def test_after_a_surprise_late_in_a_run_a_few_pages_are_enough_to_know_the_table() -> None:
    """With a hundred pages under way, guesses would otherwise come in as the next surprise, again and again."""
    policy = learnt(20_000)
    while policy.pages > 1:
        policy.observe(*LARGE)
    for _ in range(10):
        policy.observe(*LONG)
    assert max(policy.limit() for _ in range(3)) <= 16
    assert policy.expected_read_units(8) <= 1.0
