"""The steps of an act's batch: bytes of parts fetched, keys acted on."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skipscan.act.action import Service
from skipscan.act.batch import Call, Fetch, Step
from skipscan.act.parts import Parts
from skipscan.act.plan import ActPlan
from skipscan.act.task import CallResult, Task
from skipscan.aws.lambda_function import LambdaFunction
from skipscan.aws.queue import Queue
from skipscan.aws.writer import Writer
from skipscan.loop.work import Work

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient


class ActSteps:
    """Safe to use from several threads. The clients: of all services that an action may use."""

    def __init__(
        self, work: Work[ActPlan], parts: Parts, *, dynamodb: "DynamoDBClient", lambda_: "LambdaClient", sqs: Any
    ) -> None:
        self._parts = parts
        self._call: Callable[[tuple[Task, ...]], CallResult]
        action = work.plan.action
        match action.service:
            case Service.DYNAMODB:
                self._call = Writer(dynamodb, work).call
            case Service.LAMBDA:
                self._call = LambdaFunction(lambda_, action.target or "", work).call
            case Service.SQS:
                self._call = Queue(sqs, action.target or "", work).call

    def do(self, step: Step) -> bytes | CallResult:
        """Return the bytes of a fetch, or the answer to a call; raises what AWS raises."""
        if isinstance(step, Fetch):
            return self._parts.read(step.range)
        if isinstance(step, Call):
            return self._call(step.tasks)
        raise TypeError("a step is a fetch or a call")
