"""The message that a function or a queue receives."""

import json

from skipscan.act.plan import ActPlan
from skipscan.act.task import Task
from skipscan.inputs.names import table_name
from skipscan.loop.work import Work


def message(job: Work[ActPlan], task: Task) -> bytes:
    """Return the keys of a task as JSON, unchanged from the run's parts, with every digit.

    `id` is the same whenever the same keys are sent again.
    """
    plan = job.plan
    head = {"id": f"{job.name}/{task.id}", "table": table_name(plan.table), "run": plan.run, "job": job.name}
    keys = b", ".join(line.rstrip(b"\n") for line in task.lines)
    return json.dumps(head).encode()[:-1] + b', "keys": [' + keys + b"]}"
