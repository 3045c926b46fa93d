"""The clients of a listing's handlers; AWS can refuse any call. Time passes only during waits."""

from dataclasses import dataclass, replace
from typing import Any

from skipscan.aws.bucket import Bucket
from tests.fakes.faulty import Faulty, faulty
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.hostile.refusal import Refusal
from tests.simulation.world.clock import Clock


@dataclass(frozen=True)
class Clients:
    """By boto3's name of the service."""

    dynamodb: Faulty
    s3: Faulty
    stepfunctions: Faulty
    lambda_: Faulty
    pricing: Faulty
    time: Clock

    @classmethod
    def put_into(cls, listing: Machine) -> "Clients":
        modules: tuple[Any, ...] = (listing.plan, listing.worker, listing.finish)
        plan, client = modules[0], listing.s3
        clients = cls(
            dynamodb=faulty(plan.dynamodb),
            s3=faulty(client, service="s3"),
            stepfunctions=faulty(plan.stepfunctions, service="stepfunctions"),
            lambda_=faulty(plan.lambda_, service="lambda"),
            pricing=faulty(plan.pricing, service="pricing"),
            time=Clock(),
        )
        for module in modules:
            hostile: Any = clients.s3
            module.function.storage = Bucket(hostile, BUCKET)
            module.dynamodb = clients.dynamodb
            dependencies = replace(module.function.dependencies, clock=clients.time.monotonic, sleep=clients.time.sleep)
            module.function.dependencies = dependencies
        plan.stepfunctions, plan.lambda_, plan.pricing = clients.stepfunctions, clients.lambda_, clients.pricing
        return clients

    @property
    def refusals(self) -> int:
        clients = (self.dynamodb, self.s3, self.stepfunctions, self.lambda_, self.pricing)
        return sum(sum(client.refused.values()) for client in clients)

    def refuse(self, refusal: Refusal, *operations: str, times: int | None = None) -> None:
        client: Faulty = getattr(self, {"lambda": "lambda_"}.get(refusal.service, refusal.service))
        client.refuse(refusal, *operations, times=times)
