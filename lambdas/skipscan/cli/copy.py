"""`skipscan copy`: copy every item to a new table, compare both, and cut over."""

from typing import Any

from skipscan.cli.cut_over import cut_over
from skipscan.cli.job import preview_or_start
from skipscan.copy.input import parse_copy
from skipscan.library.deployed import Deployed


def compare_copy(*, dry_run: bool, **options: Any) -> None:
    """Carry out `skipscan copy compare`."""
    preview_or_start("copy", for_real=not dry_run, begin="compare, leave out --dry-run", compare_only=True, **options)


def cut_over_copy(
    *,
    table_name: str,
    to: str | None,
    deny_writes: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **rates: Any,
) -> None:
    """Carry out `skipscan copy cut-over`."""
    stated = {field: value for field, value in rates.items() if value is not None}
    parse_copy({"table": table_name, "to": to or table_name, **stated})
    cut_over(Deployed.of(env, table_name, region, profile), to, deny_writes=deny_writes, as_json=as_json, **rates)
