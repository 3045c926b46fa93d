"""A client of boto3 whose lists come one entry a page, after a first page without any: AWS may answer so."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import boto3
from botocore.exceptions import ClientError

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
SESSION = boto3.Session("test", "test", region_name="us-east-1")  # made before a test replaces the class


def refuse(code: str, operation: str) -> Any:
    """Refuse a call, from within an answer."""
    raise ClientError({"Error": {"Code": code, "Message": "made up"}}, operation)


def paged(service: str, **answers: Answer) -> Any:
    """Return a client of a service. `answers`: by the name of the method, the whole answer for the parameters.

    An answer's lists are cut into pages if botocore has a paginator for them. A token is taken only if it was given.
    A `ClientError` that an answer raises is AWS's refusal.
    """
    client: Any = SESSION.client(service)  # type: ignore[call-overload]
    operations = {name: client.meta.method_to_api_mapping[name] for name in answers}
    for name, answer in answers.items():
        cut = _Pages(client, name, answer) if client.can_paginate(name) else answer

        def remember(params: Any, context: Any, **_: object) -> None:
            context["asked"] = dict(params)

        def reply(context: Any, cut: Answer = cut, **_: object) -> tuple[Any, Mapping[str, Any]]:
            status = 200
            try:
                answer = cut(context["asked"])
            except ClientError as error:  # handed on, so that the client raises its own class for the code
                status, answer = 400, {"Error": error.response["Error"]}
            return SimpleNamespace(status_code=status), {**answer, "ResponseMetadata": {"HTTPStatusCode": status}}

        place = f"{client.meta.service_model.service_id.hyphenize()}.{operations[name]}"
        client.meta.events.register(f"provide-client-params.{place}", remember)
        client.meta.events.register_first(f"before-call.{place}", reply)
    return client


class _Pages:
    """The pages of one list. `given`: the tokens that its pages have named."""

    def __init__(self, client: Any, name: str, answer: Answer) -> None:
        made = client.get_paginator(name)
        self._input, self._output = made._input_token, made._output_token
        self._fields, self._more = [key.expression for key in made._result_keys], made._more_results
        self._answer = answer
        self._given: set[str] = set()

    def __call__(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        [token_name] = self._input
        token = asked.get(token_name)
        assert token is None or token in self._given, f"{token_name} was never given"
        whole = self._answer(asked)
        longest = max(len(whole.get(field, ())) for field in self._fields)
        number = 0 if token is None else int(token.removeprefix("page-"))
        lists = {field: whole[field][max(0, number - 1) : number] for field in self._fields if field in whole}
        answer: dict[str, Any] = {**whole, **lists}
        has_more = number < longest
        if self._more is not None:
            answer[self._more.expression] = has_more
        if has_more:
            following = f"page-{number + 1}"
            self._given.add(following)
            answer[self._output[0].expression] = following
        return answer
