"""Every boto3 session of a process takes the services' models from one loader: reading them takes a second."""

from functools import cache

from botocore import session

_create_loader = session.create_loader
_shared = cache(_create_loader)
LOADER = _shared(None)


def pytest_configure() -> None:
    session.create_loader = _shared


def pytest_unconfigure() -> None:
    session.create_loader = _create_loader
