"""The names of work that is given none."""

import secrets
from datetime import UTC, datetime


def new_name() -> str:
    """Return the time in UTC, and four random characters."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
