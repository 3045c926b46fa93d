"""Names for runs and jobs that a person gives no name."""

import secrets
from datetime import UTC, datetime


def new_name() -> str:
    """Return the time in UTC, and four random characters."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
