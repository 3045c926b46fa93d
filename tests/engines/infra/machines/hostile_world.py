"""The clients of a listing's handlers; AWS can refuse any call. Time passes only during waits."""

from dataclasses import replace
from typing import Any

from skipscan.aws.bucket import Bucket
from tests.fakes.faulty import Faulty, faulty
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.hostile.refusal import Refusal
from tests.simulation.world.clock import Clock


class Clients:
    """By boto3's name of the service, in place of those of a listing."""

    def __init__(self, listing: Machine) -> None:
        modules: tuple[Any, ...] = (listing.plan, listing.worker, listing.finish)
        plan, self.time = modules[0], Clock()
        self.dynamodb, self.s3 = faulty(plan.dynamodb), faulty(listing.s3, service="s3")
        plan.stepfunctions = self.stepfunctions = faulty(plan.stepfunctions, service="stepfunctions")
        plan.lambda_ = self.lambda_ = faulty(plan.lambda_, service="lambda")
        plan.pricing = self.pricing = faulty(plan.pricing, service="pricing")
        for module in modules:
            module.function.storage = Bucket(self.s3, BUCKET)
            module.dynamodb = self.dynamodb
            dependencies = replace(module.function.dependencies, clock=self.time.monotonic, sleep=self.time.sleep)
            module.function.dependencies = dependencies

    @property
    def refusals(self) -> int:
        clients = (self.dynamodb, self.s3, self.stepfunctions, self.lambda_, self.pricing)
        return sum(sum(client.refused.values()) for client in clients)

    def refuse(self, refusal: Refusal, *operations: str, times: int | None = None) -> None:
        client: Faulty = getattr(self, {"lambda": "lambda_"}.get(refusal.service, refusal.service))
        client.refuse(refusal, *operations, times=times)
