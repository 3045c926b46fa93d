"""All checks, in the order in which they run: what is quick, and most depends on, comes first."""

from verify.check import REGISTERED, Check
from verify.checks import (
    billing,
    client,
    deployed,
    functions,
    jobs,
    limits,
    mappings,
    objects,
    order,
    prices,
    runs,
    schedules,
    skips,
    statements,
    stream,
    tables,
    throttling,
    trail,
    writes,
)

_MODULES = (
    *(skips, order, billing, writes, tables, objects, throttling, stream),
    *(statements, client, prices, functions, deployed, runs, jobs, schedules, limits, mappings, trail),
)

CHECKS: dict[str, Check] = {
    name: each for module in _MODULES for name, each in REGISTERED.items() if each.trial.__module__ == module.__name__
}
"""By name."""
