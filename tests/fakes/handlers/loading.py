"""Handlers' modules, by the name of their state."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import skipscan
from skipscan.aws.bucket import Bucket

# Beside the package that is imported, which need not be the checkout's.
assert skipscan.__file__
HANDLERS = Path(skipscan.__file__).parents[1] / "handlers"


def module_name(state: str) -> str:
    """Return the dotted name of the one handler whose file has the state's name."""
    [path] = HANDLERS.glob(f"*/{state}.py")
    return f"handlers.{path.parent.name}.{state}"


def loaded(state: str, s3: Any = None) -> ModuleType:
    """Return a handler's module as a new Lambda would load it, with the variables of this test and that S3."""
    name = module_name(state)
    sys.modules.pop(name, None)
    module = importlib.import_module(name)
    if s3 is not None:
        function: Any = module
        function.function.storage = Bucket(s3, s3.bucket, function.function.shell.meter)
    return module
