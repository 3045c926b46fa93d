"""Whether a job's writes can be undone by restoring the table."""

from skipscan.errors import TableError


def check_recovery(table: str, recovery: bool | None) -> None:
    """Raise `TableError` for a table without point-in-time recovery; `None`: unknown."""
    if not recovery:
        state = "off" if recovery is False else "not known to be on"
        raise TableError(
            f'point-in-time recovery of table "{table}" is {state}; without it, you cannot restore what a job '
            'overwrites: switch it on, or set "without_recovery": true'
        )
