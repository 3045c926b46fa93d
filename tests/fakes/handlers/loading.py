"""Handlers, by the name of their state."""

import importlib
import inspect
import sys
from pathlib import Path
from types import CellType, ModuleType
from typing import Any

import skipscan
from skipscan.aws.bucket import Bucket
from tests.fakes.handlers.machines import machines

# Beside the package that is imported, which need not be the checkout's.
assert skipscan.__file__
HANDLERS = Path(skipscan.__file__).parents[1] / "handlers"


class Loaded(ModuleType):
    """A handler, and by their names all that it uses, which a test may replace: its clients, what it calls."""

    def __init__(self, module: ModuleType, state: str) -> None:
        handler = getattr(module, state)
        self.__dict__.update(handler=handler, _module=module, _cells=dict(_cells(handler)))
        super().__init__(f"{module.__name__}.{state}")

    def __getattr__(self, name: str) -> Any:
        cells = self.__dict__["_cells"]
        if name not in cells:
            return getattr(self.__dict__["_module"], name)
        try:
            return cells[name].cell_contents
        except ValueError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._cells:
            self._cells[name].cell_contents = value
        if name not in self._cells or hasattr(self._module, name):
            setattr(self._module, name, value)

    def __delattr__(self, name: str) -> None:
        """Take a variable away, as `unittest.mock` does before it puts the former one back."""
        if name in self._cells:
            del self._cells[name].cell_contents
        if hasattr(self._module, name):
            delattr(self._module, name)


def _cells(function: Any) -> dict[str, CellType]:
    """Return the variables that a function shares with the one that made it, and those of functions that it calls."""
    function = inspect.unwrap(function)
    found: dict[str, CellType] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        held = cell.cell_contents
        if inspect.isfunction(held) and held.__module__ == function.__module__ and "<locals>" in held.__qualname__:
            found |= _cells(held)
        found[name] = cell
    return found


def loaded(state: str, s3: Any = None) -> ModuleType:
    """Return a handler as a new Lambda would load it, with the variables of this test and that S3."""
    name = f"handlers.{machines(HANDLERS)[state]}"
    sys.modules.pop(name, None)
    found = Loaded(importlib.import_module(name), state)
    if s3 is not None:
        found.function.storage = Bucket(s3, s3.bucket, found.function.dependencies.meter)
    return found
