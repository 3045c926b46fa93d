"""Brings keys to a deployed replicator as its queue does, 15 minutes after a change."""

import json
from collections.abc import Iterable
from typing import Any

from local.embedded import Embedded
from skipscan.copy.replica import late_look_messages


def look_late(account: Embedded, function: str, source: str, ids: Iterable[str]) -> Any:
    """Have the function look at items of the old table; return its answer."""
    stream = account.dynamodb.describe_table(TableName=source)["Table"]["LatestStreamArn"]
    messages = enumerate(late_look_messages(({"id": {"S": id_}} for id_ in ids), stream))
    records = [{"messageId": str(number), "body": body} for number, body in messages]
    answer = account.awslambda.invoke(FunctionName=function, Payload=json.dumps({"Records": records}))
    return json.loads(answer["Payload"].read())
