"""How many workers an account's Lambda runs at once, and what is said where that is fewer than a run wanted."""

from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError

from skipscan.listing.concurrency_requests import FreeFunctions
from tests.fakes.faulty import faulty


def account(answer: Any) -> Any:
    return faulty(None, {"get_account_settings": [answer]}, "lambda")


def limit(unreserved: int) -> Any:
    return account({"AccountLimit": {"ConcurrentExecutions": 1000, "UnreservedConcurrentExecutions": unreserved}})


@pytest.mark.parametrize(("unreserved", "most"), [(10, 9), (1000, 900), (400, 360), (1, 1), (0, 1)])
def test_workers_get_nine_tenths_of_the_unreserved_concurrency(unreserved: int, most: int) -> None:
    assert FreeFunctions.of(limit(unreserved), None).most_workers == most


def test_what_is_reserved_for_the_workers_is_theirs_alone() -> None:
    assert FreeFunctions.of(account(AssertionError()), 25).most_workers == 25


@pytest.mark.parametrize(
    "answer",
    [
        "AccessDeniedException",
        ConnectTimeoutError(endpoint_url="https://lambda"),
        {},
        {"AccountLimit": None},
    ],
)
def test_the_default_is_used_and_named_where_the_account_does_not_answer(answer: Any) -> None:
    slots = FreeFunctions.of(account(answer), None)
    assert slots.most_workers == 900
    assert "default for an account, because the account's value could not be read" in slots.source


def test_a_run_that_needs_more_workers_says_why_it_has_fewer() -> None:
    slots = FreeFunctions.of(limit(10), None)
    assert slots.lowered(9) is None
    assert slots.lowered(16) == (
        "workers is lowered from 16 to 9: Lambda runs 10 functions at once (the account's unreserved concurrency), "
        "and one tenth is reserved for other functions. For more workers, request a higher quota."
    )
