"""The tasks of one request of an act, done here and now, with the deployed steps and requests."""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any, Self

from skipscan.act.actions.put_item import PutItem
from skipscan.act.input import AnyAction
from skipscan.act.item import ActCounts
from skipscan.act.job import ActJob, HandOverTasks
from skipscan.act.kind import ACT
from skipscan.act.plan import ActPlan
from skipscan.act.requests import ActRequests
from skipscan.act.task_source import ActPosition, Task, TaskResult
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.step import Answer, do_steps
from skipscan.dynamodb.table_description import KeyAttribute, TableIdentity
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS
from skipscan.items.job import UnitRequest
from skipscan.items.template import ItemTemplate
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.ledger import Ledger
from skipscan.pace.progress import Progress

NOTHING: Any = None
PUT = PutItem(ItemTemplate.parse({"sk": "#static"}, "item"), overwrite=False)


def act_plan(action: AnyAction = PUT, **changed: Any) -> ActPlan:
    """Return the plan of an act on a table with a partition and a sort key, of one worker and slice, without bounds."""
    decided = ActPlan(
        table="T-1",
        identity=TableIdentity("arn:aws:dynamodb:us-east-1:111111111111:table/T-1", "id"),
        run="r",
        manifest_sha256="",
        partition_key=(KeyAttribute("pk", "S"),),
        sort_key=(KeyAttribute("sk", "S"),),
        format="jsonl",
        action=action,
        keys=0,
        slices=1,
        workers=1,
        repeated_keys=100_000,
        key_units=1.0,
        most_key_units=1.0,
        worst_key_units=MOST_ITEM_UNITS if action.writes else 1.0,
        max_units_per_second=None,
        max_write_units=None,
        max_dollars=None,
        prices=US_EAST_1,
        mark="dev-0123456789abcdef/job",
    )
    return replace(decided, **changed)


def requests_of(client: Any, plan: ActPlan) -> ActRequests:
    """Return what makes the requests of an act that uses DynamoDB alone."""
    work = ACT.new_work(ExecutionId("job", "arn", "now"), plan)
    return ActRequests(work, NOTHING, dynamodb=client, lambda_=NOTHING, sqs=NOTHING)


class Acting:
    """`answers`: to the requests to DynamoDB. `handed_over`: by request, the lines of tasks by id; nobody refuses."""

    def __init__(self, plan: ActPlan, requests: ActRequests) -> None:
        self.clock: Callable[[], float] = monotonic
        progress, clock = Progress(0, ActPosition(), ActCounts()), Clock(lambda: self.clock())  # noqa: PLW0108 (a test sets another clock)
        ledger = Ledger(plan.limits, progress, bounds=Bounds(), clock=clock, random=lambda: 1.0)
        self.job, self._requests = ActJob(plan, [], ledger), requests
        self.answers: list[Answer] = []
        self.handed_over: list[dict[str, tuple[bytes, ...]]] = []

    def act(self, *tasks: Task) -> tuple[TaskResult, ...]:
        """Return what came of the tasks."""
        results: tuple[TaskResult, ...] = do_steps(self.job.begin(tasks), self.do)
        return results

    def do(self, step: Any) -> Any:
        if isinstance(step, HandOverTasks):
            self.handed_over.append({each.id: each.lines for each in step.tasks})
            return [TaskResult(ActCounts(sent=len(each.lines))) for each in step.tasks]
        self.answers.append(self._requests.do(UnitRequest(NOTHING, NOTHING, step, NOTHING)))
        return self.answers[-1].value

    @classmethod
    def over(cls, client: Any, plan: ActPlan) -> Self:
        return cls(plan, requests_of(client, plan))

    @property
    def spent(self) -> list[tuple[float, float]]:
        """The read and write units of each request."""
        return [(answer.read_units, answer.write_units) for answer in self.answers]
