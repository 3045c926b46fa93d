"""How many workers an account's Lambda runs at once, and what is said where that is fewer than a run wanted."""

from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError

from skipscan.listing.concurrency_requests import FreeFunctions
from tests.fakes.faulty import faulty


def account(answer: Any) -> Any:
    return faulty(None, {"get_account_settings": [answer]}, "lambda")


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
