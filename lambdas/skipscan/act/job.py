"""What an act does with the tasks of a request, as steps, until each has a result or a refusal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from skipscan.act.action import WritingAction
from skipscan.act.item import ActCounts, ActedTable
from skipscan.act.lane import TaskJob
from skipscan.act.parts import Slice, cut
from skipscan.act.plan import ActPlan, check_run
from skipscan.act.task_source import RefusedTask, Task, TaskResult
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import First, ItemSteps, Refused
from skipscan.errors import IncompleteRunError
from skipscan.items.mark import digest
from skipscan.lines.convert import item_reader
from skipscan.lines.formats import decoder
from skipscan.loop.work import Work
from skipscan.pace.ledger import Ledger

FRESH_SECONDS = 5.0
"""How long a look at those to keep of a group serves its other items: few looks, and little time for one to vanish."""


class HandOverTasks(NamedTuple):
    """A step: hand tasks to the action's target in one request. Its answer: a result or a refusal of each."""

    tasks: tuple[Task, ...]


class ActJob(TaskJob):
    """An act over the slices of a run's parts."""

    def __init__(self, plan: ActPlan, slices: Sequence[Slice], ledger: Ledger) -> None:
        super().__init__(plan, slices, ledger)
        key, form = plan.partition_key, plan.line_format
        self._decode = self._decode_key = decoder(key, form)
        if plan.action.takes_items:
            self._decode = item_reader(key, form, has_level=plan.has_level)
        names = tuple(attribute.name for attribute in (*key, *plan.sort_key))
        self._at = ActedTable(plan.table, names, plan.mark, self._is_kept)
        self._looked: tuple[First | None, float, Sequence[Item]] = None, 0.0, ()
        """The last look at those to keep of a group, until when it serves, and their keys."""

    def begin(self, tasks: tuple[Task, ...]) -> ItemSteps:
        action = self.plan.action
        act = partial(self._write, action) if isinstance(action, WritingAction) else _hand_over
        return self._skip_ended(tasks, act) if self.plan.skips_ended else act(tasks)

    def _write(self, action: WritingAction, tasks: tuple[Task, ...]) -> ItemSteps:
        (task,) = tasks
        ended = yield from action.steps(self._at, self._decode(task.lines[0]))
        return (TaskResult.refused(task, ended.code) if isinstance(ended, Refused) else TaskResult(ended),)

    def _is_kept(self, item: Item) -> ItemSteps:
        """Return whether an item is now one of those to keep of its group: where some vanished, others replace them.

        What a look showed is not deleted here while it serves the other items of the group.
        """
        if self.plan.kept is None:
            return False
        look, now = self.plan.kept.look(item), self._clock()
        if self._looked[0] != look or now >= self._looked[1]:
            found = yield look
            # From before the look: its answer may be as old as the question. A slow one serves at least for a second.
            until = max(now + FRESH_SECONDS, self._clock() + 1.0)
            self._looked = look, until, [self._at.key_of(each) for each in found]
        seen = self._looked[2]
        return len(seen) < look.most or self._at.key_of(item) in seen

    def _skip_ended(self, tasks: tuple[Task, ...], act: Callable[[tuple[Task, ...]], ItemSteps]) -> ItemSteps:
        """Act on the keys whose item collections still have an item, and skip the others. No condition can check that.

        A collection that ends after its look is not noticed.
        """
        name = self._at.key_names[0]
        left: list[Task] = []
        for task in tasks:
            living = []
            for line in task.lines:
                if (yield First(self.plan.table, {name: self._decode_key(line)[name]}, (), 1)):
                    living.append(line)
            left.append(_left(task, tuple(living)))
        begun = tuple(task for task in left if task.lines)
        acted = iter((yield from act(begun)) if begun else ())
        return tuple(
            _whole(task, each, next(acted) if each.lines else TaskResult(ActCounts()))
            for task, each in zip(tasks, left, strict=True)
        )


def slices_of(work: Work[ActPlan], manifest: Mapping[str, Any] | None) -> list[Slice]:
    """Return the slices of the run of that manifest; raise if it is not the run of the plan, or is there no more."""
    plan = work.plan
    if manifest is None:
        raise IncompleteRunError(
            f'run "{plan.run}"',
            rule="has no manifest on S3 any more, because it expired or someone deleted it",
            remedy="list the table again, and start the job on the new run",
        )
    check_run(plan, manifest, f'act "{work.name}"')
    return cut(manifest)


def _hand_over(tasks: tuple[Task, ...]) -> ItemSteps:
    return (yield HandOverTasks(tasks))


def _left(task: Task, lines: tuple[bytes, ...]) -> Task:
    """Return the task with the lines of its living keys alone.

    Its id stands for the keys that are left: a collection may begin again before the task is repeated, and a receiver
    that drops a repeated id would drop that key.
    """
    id = task.id if lines == task.lines else f"{task.id}-{digest(b''.join(lines))}"
    return replace(task, lines=lines, id=id)


def _whole(task: Task, left: Task, result: TaskResult | RefusedTask) -> TaskResult | RefusedTask:
    """Return the result of a task from that of its living keys."""
    if isinstance(result, RefusedTask):
        return result
    return replace(result, counts=result.counts + ActCounts(ended=len(task.lines) - len(left.lines)))
