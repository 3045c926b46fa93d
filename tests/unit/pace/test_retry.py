"""Attempts at one request."""

import pytest

from skipscan.pace.pace import jittered, retrying


class Service:
    """Fails with these errors, one after the other, before it answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.waited: list[float] = []

    def request(self) -> str:
        if self.errors:
            raise self.errors.pop(0)
        return "answer"

    def ask(self, *waits: float) -> str:
        return retrying(
            self.request, waits, passes=lambda error: isinstance(error, ConnectionError), sleep=self.waited.append
        )


def test_an_answer_is_returned_without_a_wait() -> None:
    service = Service()
    assert service.ask(1.0) == "answer"
    assert service.waited == []


def test_each_attempt_after_an_error_that_passes_has_its_own_wait() -> None:
    service = Service(ConnectionError(), ConnectionError())
    assert service.ask(1.0, 5.0, 9.0) == "answer"
    assert service.waited == [1.0, 5.0]


def test_the_error_of_the_last_attempt_is_raised() -> None:
    service = Service(ConnectionError("first"), ConnectionError("last"))
    with pytest.raises(ConnectionError, match="last"):
        service.ask(1.0)
    assert service.waited == [1.0]


def test_another_error_is_raised_at_once() -> None:
    service = Service(ValueError("wrong"))
    with pytest.raises(ValueError, match="wrong"):
        service.ask(1.0)
    assert service.waited == []


def test_waits_double_and_are_drawn_from_the_whole_span() -> None:
    assert [*jittered(3, lambda: 1.0)] == [0.1, 0.2, 0.4]
    assert [*jittered(3, lambda: 0.5)] == [0.05, 0.1, 0.2]
