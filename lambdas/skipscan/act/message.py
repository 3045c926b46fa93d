"""What a function or a queue gets."""

import json

from skipscan.act.plan import ActPlan
from skipscan.act.task import Task
from skipscan.inputs.names import table_name
from skipscan.loop.work import Work


def message(job: Work[ActPlan], task: Task) -> bytes:
    """Return the keys of a task as JSON. They stand in it as in the run's parts, every digit kept.

    `id` is the same whenever the same keys come again.
    """
    plan = job.plan
    head = {"id": f"{job.name}/{task.id}", "table": table_name(plan.table), "run": plan.run, "job": job.name}
    keys = b", ".join(line.rstrip(b"\n") for line in task.lines)
    return json.dumps(head).encode()[:-1] + b', "keys": [' + keys + b"]}"
