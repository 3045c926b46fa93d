"""An item that a job could not set or copy, as one line: its key with the types, what is wrong, and why."""

import json

from skipscan.dynamodb.attribute_value import to_json
from skipscan.items.walk import Settled


def listed_line(settled: Settled) -> bytes:
    """Return the line, line end included: {"key": {"id": {"S": "…"}}, "problem": "lacking", "reason": "…"}."""
    document = {
        "key": {name: to_json(value) for name, value in settled.key.items()},
        "problem": settled.outcome,
        "reason": settled.reason,
    }
    return json.dumps(document).encode() + b"\n"
