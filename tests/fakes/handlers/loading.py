"""Handlers, by the name of their state."""

import importlib.util
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import skipscan
from skipscan.aws import clients, lean
from skipscan.aws.bucket import Bucket
from tests.fakes.handlers.machines import machines

# Beside the package that is imported, which need not be the checkout's.
assert skipscan.__file__
HANDLERS = Path(skipscan.__file__).parents[1] / "handlers"

NAMES = {"lambda": "lambda_", "kms": "keys"}
"""The names of clients that do not have that of their service."""


class Client:
    """A client of boto3, or what a test puts in its place."""

    def __init__(self, client: Any) -> None:
        vars(self)["client"] = client

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["client"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["client"], name, value)


class Loaded:
    """A handler in a module of its own. A test replaces its clients by their names, and what its module has."""

    def __init__(self, state: str) -> None:
        machine = machines(HANDLERS)[state]
        spec = importlib.util.spec_from_file_location(f"loaded_{state}", HANDLERS / f"{machine}.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        made: dict[str, Client] = {}
        vars(self).update(clients=made, module=module)
        with _noting(made):
            vars(self).update(handler=getattr(module, state))

    def __getattr__(self, name: str) -> Any:
        made: dict[str, Client] = vars(self)["clients"]
        return vars(made[name])["client"] if name in made else getattr(vars(self)["module"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        made: dict[str, Client] = vars(self)["clients"]
        module: ModuleType = vars(self)["module"]
        if name in made:
            vars(made[name])["client"] = value
        else:
            assert hasattr(module, name), f"the handler has no {name}"
            setattr(module, name, value)


@contextmanager
def _noting(made: dict[str, Client]) -> Iterator[None]:
    """Note the clients that are made, the lean one in place of the client that it has."""
    make, make_lean = clients.make, lean.lean_dynamodb

    def note(service: str, client: Any) -> Client:
        made[NAMES.get(service, service)] = noted = Client(client)
        return noted

    with ExitStack() as stack:
        replaced = stack.enter_context
        replaced(patch.object(clients, "make", lambda session, name, *a, **b: note(name, make(session, name, *a, **b))))
        replaced(patch.object(lean, "lean_dynamodb", lambda *a, **b: note("dynamodb", make_lean(*a, **b))))
        yield


def loaded(state: str, s3: Any = None) -> Loaded:
    """Return a handler as a new Lambda would load it, with the variables of this test and that S3."""
    found = Loaded(state)
    if s3 is not None:
        found.function.storage = Bucket(s3, s3.bucket, found.function.dependencies.meter)
    return found
