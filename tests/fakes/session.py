"""A boto3 session that makes each client once: making one takes 30 ms, and most tests put a fake in its place."""

from collections.abc import Callable
from typing import Any

import boto3


class Session(boto3.Session):
    """Hands out the same client again for the same arguments, with each of its event handlers registered once."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._clients: dict[str, Any] = {}

    def client(self, service_name: str, *arguments: Any, config: Any = None, **options: Any) -> Any:
        asked = config._user_provided_options if config else None
        key = repr((service_name, arguments, asked, sorted(options.items())))
        if key not in self._clients:
            create: Any = super().client  # its type has a line for each service, and none for any
            made = create(service_name, *arguments, config=config, **options)
            made.meta.events.register = _once(made.meta.events.register)
            self._clients[key] = made
        return self._clients[key]


def _once(register: Callable[..., None]) -> Callable[..., None]:
    registered: set[tuple[str, Any]] = set()

    def once(event: str, handler: Any, *arguments: Any, **named: Any) -> None:
        if (event, handler) not in registered:
            registered.add((event, handler))
            register(event, handler, *arguments, **named)

    return once
