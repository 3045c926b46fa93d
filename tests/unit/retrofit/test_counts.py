"""What a retrofit counts of an item, when it sets and when it reads again."""

from skipscan.retrofit.item import RetrofitCounts, RetrofitOutcome


def test_an_item_that_was_read_again_is_wrong_or_right_and_has_entries() -> None:
    assert RetrofitCounts.verifying(RetrofitOutcome.WRONG, 2) == RetrofitCounts(verified=1, wrong=1, indexed=2)
    right = RetrofitCounts.verifying(RetrofitOutcome.RIGHT, 0)
    assert (right.outcomes, right.lines, right.units_done) == ({"verified": 1, "wrong": 0}, 0, 1)
    assert RetrofitCounts.of(RetrofitOutcome.RIGHT).outcomes == {"right": 1}
