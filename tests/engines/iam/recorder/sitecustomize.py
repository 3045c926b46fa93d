"""Writes down every call that the SDK makes in a Python process that was started with this folder on PYTHONPATH.

One JSON object a line, appended to the file SKIPSCAN_CALLS: who called (a function's name, or SKIPSCAN_CALLER),
service, operation, the parameters that permissions depend on, the HTTP status that came back after so many attempts,
and why AWS would refuse the call (rules.py). AWS is at its worst meanwhile (worst.py). Nothing here but botocore: it
runs in the virtual environment of whoever is recorded.
"""

import json
import os
from typing import Any

CALLER = os.environ.get("AWS_LAMBDA_FUNCTION_NAME") or os.environ.get("SKIPSCAN_CALLER")
PARAMETERS = (
    *("TableName", "IndexName", "Bucket", "Key", "Prefix", "FunctionName", "QueueName", "QueueUrl", "IfNoneMatch"),
    *("Tagging", "stateMachineArn", "executionArn", "mapRunArn", "StackName", "UUID"),
)

if CALLER and "SKIPSCAN_CALLS" in os.environ:
    from types import SimpleNamespace

    from botocore import endpoint
    from botocore.client import BaseClient, ClientCreator
    from botocore.exceptions import ClientError
    from rules import violations  # type: ignore[import-not-found]  # beside this file
    from worst import worsen  # type: ignore[import-not-found]

    make_call = BaseClient._make_api_call  # type: ignore[attr-defined]

    def recorded(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
        status = attempts = 0
        try:
            answer = make_call(client, operation, parameters)
            status = answer["ResponseMetadata"]["HTTPStatusCode"]
            attempts = 1 + answer["ResponseMetadata"].get("RetryAttempts", 0)
            return answer
        except ClientError as error:
            status = error.response["ResponseMetadata"]["HTTPStatusCode"]
            raise
        finally:
            call = {
                "caller": CALLER,
                "service": client.meta.service_model.service_name,
                "operation": operation,
                "parameters": {name: parameters[name] for name in PARAMETERS if isinstance(parameters.get(name), str)},
                "status": status,
                "attempts": attempts,
                "violations": violations(client.meta.service_model, operation, parameters),
            }
            with open(os.environ["SKIPSCAN_CALLS"], "a") as file:
                file.write(json.dumps(call) + "\n")

    BaseClient._make_api_call = recorded  # type: ignore[attr-defined]

    create_client = ClientCreator.create_client

    def worsened(creator: ClientCreator, *args: Any, **named: Any) -> Any:
        client = create_client(creator, *args, **named)
        worsen(client)
        return client

    ClientCreator.create_client = worsened  # type: ignore[assignment,method-assign]
    endpoint.time = SimpleNamespace(sleep=lambda _: None)  # type: ignore[attr-defined]
