"""Scan's answers, read the short way.

botocore visits every attribute of an answer to give its value the modelled type: four fifths of the time that a long
page takes. But the items Skipscan asks for hold key attributes alone, and those look in JSON the way boto3 hands
them out, save for binary ones.
"""

import json
from base64 import b64decode
from collections.abc import Iterable
from typing import Any


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
    if b'"B"' in body:
        _decode(items)
    customized_response_dict["Items"] = items
    response_dict["body"] = json.dumps(answer).encode()


def _decode(items: Iterable[dict[str, dict[str, Any]]]) -> None:
    for item in items:
        for value in item.values():
            if "B" in value:
                value["B"] = b64decode(value["B"])
