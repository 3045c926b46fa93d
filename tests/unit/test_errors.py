"""Every message leads to a page of the documentation, once."""

import pytest

from skipscan import errors
from skipscan.errors import page, read_on


@pytest.mark.parametrize(
    ("message", "whole"),
    [
        ("it is so: do that", "it is so: do that (see errors.md)"),
        ("it is so: do that.", "it is so: do that (see errors.md)"),
        ("it is cut...", "it is cut... (see errors.md)"),
        ("it is so (see limits.md)", "it is so (see limits.md)"),
    ],
)
def test_a_message_names_one_page(message: str, whole: str) -> None:
    assert read_on(message, "errors.md") == whole


def test_an_installation_without_an_address_names_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "DOCUMENTATION", "https://example.com/docs")
    assert page("errors.md#resume") == "https://example.com/docs/errors.md#resume"
    monkeypatch.setattr(errors, "DOCUMENTATION", "")
    assert page("errors.md#resume") is None
