"""Handlers' modules, by the name of their state."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

HANDLERS = Path(__file__).parents[2] / "lambdas/handlers"


def module_name(state: str) -> str:
    """Return the dotted name of the one handler whose file bears the state's name."""
    [path] = HANDLERS.glob(f"*/{state}.py")
    return f"handlers.{path.parent.name}.{state}"


def loaded(state: str) -> ModuleType:
    """Return a handler's module as a new Lambda would load it, with the variables of this test."""
    name = module_name(state)
    sys.modules.pop(name, None)
    return importlib.import_module(name)
