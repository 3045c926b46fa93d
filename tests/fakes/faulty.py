"""A client of AWS whose next answers a test writes down, over any client or over none.

    client = faulty(dynamodb, {"query": [THROTTLED, cut, None]})      # refused, then cut short, then as the client says
    client = faulty(None, {"list_queues": repeat({})}, "sqs")         # a whole service, answering the same forever

A step is an error, a `Refusal` or the code of one (raised), an answer, `None` (what the client answers), or a function
of the client's method and the request, which returns the answer. After the last step all calls are the client's.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from threading import Lock
from types import SimpleNamespace
from typing import Any

from botocore import xform_name
from botocore.paginate import Paginator
from botocore.waiter import NormalizedOperationMethod, Waiter

from tests.fakes.hostile.refusal import Refusal, check_parameters, exceptions, model, paginators, waiters

Step = Exception | Refusal | str | Mapping[str, Any] | Callable[..., Any] | None


@dataclass
class Call:
    """`answer`: none of a call that was refused, or that is still under way."""

    name: str
    asked: dict[str, Any]
    answer: Any = None


class Faulty:
    """`calls`: all of them, in the order of their requests. `refused`: how often each operation was."""

    def __init__(
        self, client: Any, scripts: Mapping[str, Iterable[Step]] | None = None, service: str = "dynamodb"
    ) -> None:
        scripts = scripts or {}
        self._client, self._service = client, service
        self._operations = {xform_name(name): name for name in model(service).operation_names}
        if unknown := scripts.keys() - self._operations.keys():
            raise ValueError(f"{service} has no {', '.join(sorted(unknown))}")
        self._scripts: dict[str, Iterator[Step]] = {name: iter(steps) for name, steps in scripts.items()}
        self._lock = Lock()
        self.calls: list[Call] = []
        self.refused: Counter[str] = Counter()
        url = f"https://{service}.us-east-1.amazonaws.com"
        self.meta = getattr(client, "meta", SimpleNamespace(region_name="us-east-1", endpoint_url=url))

    def asked(self, name: str) -> list[dict[str, Any]]:
        """Return the requests of an operation."""
        return [call.asked for call in self.calls if call.name == name]

    def refuse(self, refusal: Refusal | str, *operations: str, times: int | None = None) -> None:
        """Have the next calls of the operations refused; without `times`, all from now on."""
        for name in operations:
            coming = repeat(refusal) if times is None else repeat(refusal, times)
            self._scripts[name] = chain(self._scripts.get(name, ()), coming)

    def __getattr__(self, name: str) -> Any:
        if name not in self._operations:
            return getattr(self._client, name)
        return lambda **asked: self._call(name, asked)

    @property
    def exceptions(self) -> Any:
        return _Exceptions(self._client, self._service)

    def get_paginator(self, name: str) -> Any:
        """Return boto3's own paginator, over the calls of this client."""
        found = paginators(self._service).get_paginator(self._operations[name])
        return Paginator(getattr(self, name), found, model(self._service).operation_model(self._operations[name]))

    def get_waiter(self, name: str) -> Any:
        """Return boto3's own waiter, over the calls of this client."""
        [found] = [each for each in waiters(self._service).waiter_names if xform_name(each) == name]
        config: Any = waiters(self._service).get_waiter(found)
        return Waiter(found, config, NormalizedOperationMethod(getattr(self, xform_name(config.operation))))

    def _call(self, name: str, asked: dict[str, Any]) -> Any:
        call, scripted = Call(name, asked), name in self._scripts
        with self._lock:
            self.calls.append(call)
            step = next(self._scripts[name], None) if scripted else None
            self.refused[name] += isinstance(step, Exception | Refusal | str)
        if self._client is None:
            check_parameters(self._service, self._operations[name], asked)
            if step is None:
                raise AssertionError(f"no answer is left for {name}")
        if isinstance(step, str):
            refused = {"Error": {"Code": step, "Message": "made up"}, "ResponseMetadata": {"HTTPStatusCode": 400}}
            step = exceptions(self._service).from_code(step)(refused, self._operations[name])
        if isinstance(step, Refusal):
            step = step.error(self._operations[name])
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Mapping):
            call.answer = step
        else:
            method = getattr(self._client, name, None)
            call.answer = step(method, asked) if step else method(**asked)  # type: ignore[misc]
        return call.answer


class _Exceptions:
    """A fake has exceptions of its own, and knows some of the service's."""

    def __init__(self, client: Any, service: str) -> None:
        self._client, self._service = client, service

    def __getattr__(self, name: str) -> Any:
        own = getattr(getattr(self._client, "exceptions", None), name, None)
        return own or getattr(exceptions(self._service), name)


def faulty(client: Any, scripts: Mapping[str, Iterable[Step]] | None = None, service: str = "dynamodb") -> Any:
    """Return a `Faulty`, as any client."""
    return Faulty(client, scripts, service)
