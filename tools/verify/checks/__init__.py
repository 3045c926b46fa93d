"""All checks, in the order in which they run: what is quick, and most depends on, comes first."""

from verify.check import REGISTERED, Check
from verify.checks import deployed, functions, jobs, limits, mappings, objects, runs, schedules

_MODULES = (objects, functions, deployed, jobs, schedules, limits, mappings, runs)

CHECKS: dict[str, Check] = {
    name: each for module in _MODULES for name, each in REGISTERED.items() if each.trial.__module__ == module.__name__
}
"""By name."""
