"""What does a job's requests, by the service that its action uses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skipscan.act.action import Service
from skipscan.act.job import Job
from skipscan.act.task import Answer, Task
from skipscan.aws.function import Function
from skipscan.aws.queue import Queue
from skipscan.aws.writer import Writer

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient


@dataclass(frozen=True)
class Services:
    """The clients of all services that an action may use."""

    dynamodb: "DynamoDBClient"
    lambda_: "LambdaClient"
    sqs: Any

    def performer(self, job: Job) -> Callable[[Sequence[Task]], Answer]:
        """Return what does one request: the tasks in it, and what came of each."""
        action = job.plan.action
        match action.service:
            case Service.LAMBDA:
                return Function(self.lambda_, action.target or "", job).call
            case Service.SQS:
                return Queue(self.sqs, action.target or "", job).call
        return Writer(self.dynamodb, job).call
