"""What all of a process's boto3 sessions read or work out alike is read and worked out once.

The services' models, which take a second, and the names of the hundreds of events that each session registers.
"""

from functools import cache
from typing import Any

from botocore import session
from botocore.hooks import EventAliaser

_create_loader = session.create_loader
_shared = cache(_create_loader)
LOADER = _shared(None)

_register = EventAliaser.__init__
NAMES: dict[str, str] = {}
CACHE = "_alias_name_cache"


def _sharing(events: EventAliaser, event_emitter: Any, event_aliases: Any = None) -> None:
    _register(events, event_emitter, event_aliases)
    if event_aliases is None:
        setattr(events, CACHE, NAMES)


def pytest_configure() -> None:
    session.create_loader = _shared
    EventAliaser.__init__ = _sharing  # type: ignore[assignment,method-assign]


def pytest_unconfigure() -> None:
    session.create_loader = _create_loader
    EventAliaser.__init__ = _register  # type: ignore[method-assign]
