"""DynamoDB's answers: whether one is whole, and Scan's read the short way.

botocore hands out an answer of HTTP status 200 whose body was cut off as if it had been empty. What is not in an answer
was not said: every call asks for the units it consumed, so an answer without them is none.

botocore visits every attribute of an answer to give its value the modelled type: four fifths of the time that a long
page takes. But values look in JSON the way boto3 hands them out, save for binary ones.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import write_units
from skipscan.items.request import Conflict


class CutAnswerError(Exception):
    """An answer whose body was cut off on its way. The request may have been carried out; try it again."""


def consumed_units(answer: Mapping[str, Any]) -> float:
    """Return the units that a request consumed; raise `CutAnswerError` for an answer that does not say."""
    try:
        units: float = answer["ConsumedCapacity"]["CapacityUnits"]
    except KeyError:
        raise CutAnswerError("DynamoDB's answer was cut off") from None
    return units


def page(answer: Mapping[str, Any]) -> Page:
    """Return the page that Scan answered; raise `CutAnswerError` for an answer that is not whole."""
    read_units = consumed_units(answer)
    if "Items" not in answer:
        raise CutAnswerError("DynamoDB's answer was cut off")
    return Page(answer["Items"], answer.get("LastEvaluatedKey"), read_units)


def hand_over_items(
    *, response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_event: object
) -> None:
    """Take the items out of an answer, and leave the rest of it to botocore. Handles `before-parse.dynamodb.Scan`.

    What is no page stays as it is, for botocore to judge: an error, or a body cut short.
    """
    if response_dict["status_code"] != 200:
        return
    body = response_dict["body"]
    try:
        answer = json.loads(body)
    except ValueError:
        return
    items = answer.pop("Items", [])
    if b'"B"' in body or b'"BS"' in body:
        for item in items:
            decode(item)
    customized_response_dict["Items"] = items
    response_dict["body"] = json.dumps(answer).encode()


def decode(values: Mapping[Any, dict[str, Any]]) -> None:
    """Make bytes of the binary values, which JSON has as base64, in place."""
    for value in values.values():
        ((kind, content),) = value.items()
        match kind:
            case "B":
                value["B"] = b64decode(content)
            case "BS":
                value["BS"] = [b64decode(member) for member in content]
            case "M":
                decode(content)
            case "L":
                decode(dict(enumerate(content)))


def conflict(error: ClientError) -> Conflict:
    """Return the item that the condition failed on; none if there is none, or the engine does not tell."""
    response: Any = error.response
    found: Item | None = response.get("Item") or None
    return Conflict(found, write_units(found or {}))
