"""The safeguards of commits, budgets and writes, each taken out by itself: a witness must notice, each of them alone.

A row has its name, the file, the text there, the text without the safeguard, and the witnesses. All other safeguards
have their tests in `tests/unit`, which random defects of rooms (rooms.py) hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.house.mutants.mutant import Chosen, Histories, Schedules


@dataclass(frozen=True)
class Safeguard:
    """`edits`: file below `lambdas`, text that is there once, and what stands there without the safeguard."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    witnesses: tuple[Chosen | Histories | Schedules, ...]

    def removed(self, sources: Mapping[Path, str]) -> dict[Path, str]:
        """Return the sources that change."""
        changed: dict[Path, str] = {}
        for file, before, after in self.edits:
            text = changed.get(Path(file), sources[Path(file)])
            if text.count(before) != 1:
                raise ValueError(f"{self.name}: {text.count(before)} times in lambdas/{file}, not once: {before}")
            changed[Path(file)] = text.replace(before, after)
        return changed


def patch(
    name: str,
    file: str,
    before: str,
    after: str,
    *witnesses: Chosen | Histories | Schedules,
    also: tuple[tuple[str, str, str], ...] = (),
) -> Safeguard:
    return Safeguard(name, ((file, before, after), *also), witnesses)


def of(file: str, test: str = "") -> Chosen:
    return Chosen((f"tests/{file}" + (f"::test_{test}" if test else ""),))


RESULTS = of("unit/loop/test_results.py")
WHOLE_RUN = of("simulation/money/test_whole_run.py")
LEAST = of("simulation/money/test_least_budget.py")
RESUMED_RATE = of("simulation/money/test_resumed_rate.py")
LARGE_ITEMS = of("simulation/money/test_large_items.py")

# fmt: off
SAFEGUARDS = (
    # Commit.
    patch("proof that every worker came to its end", "skipscan/loop/proof.py", " not progress.done(plan)", " False",
          Schedules(), also=(("skipscan/loop/finish.py", "sum(progress.left(plan) for progress in reached)", "0"),)),
    patch("the seal", "skipscan/loop/work.py", 'state.get("seal") != _seal(bare, work)', "False",
          of("unit/loop/test_seal.py"), Schedules()),
    patch("conditional write", "skipscan/aws/bucket.py", 'IfNoneMatch="*",', "", RESULTS,
          Schedules()),
    patch("adoption", "skipscan/loop/results.py",
          "self.storage.put_once(self.layout.part(worker, batch), body, metadata)",
          "[self.storage.put_once(self.layout.part(worker, batch), body, metadata)]", RESULTS, Schedules()),
    patch("the part that was deleted", "skipscan/loop/results.py", "if adopted is None:", "if False:", RESULTS),
    patch("a put that meets another", "skipscan/aws/bucket.py", " and _status(error) == 409", "", RESULTS),
    patch("checkpoint before the part", "skipscan/loop/results.py",
          "is_put = self.storage.put_once(checkpoint, written, expires=True)", "is_put = True", RESULTS, Schedules(),
          also=(("skipscan/loop/results.py", "(worker, batch), body, metadata):\n",
                 "(worker, batch), body, metadata):\n" + 12 * " " + "self.storage.put_once(checkpoint, written)\n"),)),
    patch("checkpoints that are there before the part", "skipscan/loop/results.py",
          "not is_put and self.storage.get(checkpoint) != written", "False", RESULTS),
    patch("checkpoints that are what was committed", "skipscan/loop/results.py",
          "checksum(body) != part.checkpoint_sha256", "False", RESULTS),
    patch("documents that are put once", "skipscan/loop/results.py", "self.storage.put_once(name, indented(document",
          "(not self.storage.put(name, indented(document)", RESULTS, Schedules(setting={"plan_calls": 2})),
    patch("an existing plan", "skipscan/loop/results.py", "= self.document(self.layout.plan)", "= None", RESULTS,
          Schedules()),
    patch("next batch number", "skipscan/loop/turn.py", " batch=reached.batch + 1", " batch=reached.batch + 2",
          Schedules()),
    patch("continue from the previous batch if the state is too long", "skipscan/loop/turn.py",
          "reached = results.reached(turn.worker) if turn.after is None else results.of(turn.worker, turn.after",
          "reached = results.reached(turn.worker) if turn.after is None else results.reached(turn.worker",
          of("simulation/faults/test_schedules.py",
             "random_schedules_whose_states_are_all_too_long_end_with_every_key_once[20]")),
    patch("look at what is stored in a first turn", "skipscan/loop/turn.py", "results.reached(turn.worker)", "None",
          Histories("retrofit"), Histories("copy"), Schedules()),
    patch("adoption before a batch", "skipscan/loop/turn.py", " = results.committed(progress.worker, progress.batch)",
          " = None", of("simulation/states/test_adoption.py"), Histories("retrofit"), Histories("delete"),
          Histories("put"), Histories("overwrite"), Histories("invoke")),
    # Budgets.
    patch("what a lost answer may have taken", "skipscan/pace/budget.py", "self.unseen += ceiling", "pass",
          of("unit/pace/test_bill.py")),
    patch("debts of writes", "skipscan/pace/ledger.py",
          "            writes_paid_off=self._writes.paid_off if self._writes else 0.0,\n", "", WHOLE_RUN),
    patch("a request's room in the budget", "skipscan/pace/ledger.py", "not self._budget.may_begin(booking.ceiling)",
          "False", WHOLE_RUN, of("engines/jobs/test_index_count.py", "pages_are_reserved_before_they_are_read")),
    patch("workers that begin in turn", "skipscan/pace/rate.py", " + PAGE_SECONDS * (worker % workers) / workers", "",
          WHOLE_RUN),
    patch("a budget that no request fits into", "skipscan/pace/limits.py", "if given < needed:", "if given < 0:",
          LEAST),
    patch("fewer workers at once where a run is resumed at a lower rate", "skipscan/pace/limits.py",
          "min([self.workers, *(rate.most_workers for rate in rates)])", "self.workers", RESUMED_RATE),
    patch("the place of a worker whose debts are not paid off", "skipscan/loop/kind.py",
          'document["done"] and plan.limits.at_once < plan.workers', "False", RESUMED_RATE),
    patch("the largest item that a worker has met", "skipscan/act/lane.py", "max(plan.most_key_units, largest)",
          "plan.most_key_units", LARGE_ITEMS),
    patch("the largest item that a budget may meet", "skipscan/act/lane.py",
          "ceiling = plan.consumed_by(plan.worst_key_units", "ceiling = plan.consumed_by(plan.key_units", LARGE_ITEMS),
    patch("what earlier attempts of a count declared", "skipscan/retrofit/count_requests.py",
          "found.amounts - self._consumed - found.spending.lost", "(plan.limits.budget - self._consumed)",
          of("engines/jobs/test_index_count.py", "all_attempts_of_the_count_together_keep_the_budget")),
    patch("every execution in the bill", "skipscan/loop/billing.py",
          " + resumed_services(workers, batches).times(resumes)", "",
          of("unit/handlers/listing/test_budget.py", "every_execution_is_in_the_bill")),
    patch("a record of each resume", "skipscan/loop/begin.py", "results.add_resume(execution.arn)", "pass",
          of("unit/handlers/listing/test_budget.py", "every_execution_is_in_the_bill")),
    patch("attempts that were lost before there was a budget", "skipscan/loop/turn.py",
          "declare_lost(results, progress.worker, progress.batch, attempt, consumed)", "pass",
          of("unit/handlers/listing/test_budget.py",
             "a_resume_with_a_budget_counts_what_was_lost_before_there_was_one")),
    patch("a page that the budget can write", "skipscan/items/sizes.py",
          "most += [left[name] / 2 / consumed for name, consumed in item.items() if consumed]", "pass", LEAST),
    patch("all workers in the least budget", "skipscan/pace/limits.py", "before + each.times(workers)", "before + each",
          LEAST),
    # Writes.
    patch("items of the job that are not overwritten again", "skipscan/aws/item.py",
          '"attribute_not_exists(#k) OR #k <> :k"', "'attribute_not_exists(#k) OR #k <> :k OR #k = :k'",
          of("unit/handlers/act/test_act_repeats.py", "a_repeated_overwrite_leaves_what_the_application_has_set_since"),
          Histories("overwrite")),
    patch("no more keys than may be repeated", "skipscan/act/lane.py",
          "self._keys_taken and self._keys_taken + len(task.lines) > self._plan.repeated_keys", "False",
          of("unit/handlers/act/test_act_repeats.py", "a_crash_repeats_no_more_keys_than_the_plan_says"),
          of("unit/act/test_batch.py", "a_batch_takes_no_more_keys_than_may_be_repeated"), Histories("delete"),
          Histories("send")),
    patch("no look runs ahead of its write", "skipscan/items/engine.py",
          "max(_wait(size, now), unit.not_before - now)", "unit.not_before - now",
          of("unit/act/test_looks.py", "no_look_runs_ahead_of_a_write_that_the_rate_holds_back"),
          also=(("skipscan/act/lane.py", "if wait := self._account.wait_seconds(now):", "if wait := 0.0:"),)),
    patch("what was refused goes before what is fresh", "skipscan/act/lane.py",
          "if wait := self._account.wait_seconds(now):", "if wait := 0.0:",
          of("unit/act/test_looks.py", "what_is_refused_while_the_rate_holds_writes_back_goes_before_what_is_fresh")),
    patch("a write follows its look at once", "skipscan/act/lane.py", "is_page=True, holds=True", "is_page=True",
          of("unit/act/test_looks.py", "no_look_runs_ahead_of_a_write_that_the_rate_holds_back")),
    patch("a new look after a write that failed", "skipscan/act/lane.py",
          "if isinstance(unit.step, First):", "if unit.step:",
          of("unit/act/test_looks.py", "a_write_that_failed_is_made_after_a_new_look")),
    patch("an item of the job's own is known by its mark", "skipscan/act/item.py",
          "PUT if (answer.item or {}).get(MARK) == own else PRESENT", "PRESENT", Histories("put")),
    patch("tasks whose request failed are not done", "skipscan/act/lane.py",
          "self._again.extend(((task,), None) for task in unit.tasks)",
          "[self._end(task, TaskResult(ActCounts(put=1))) for task in unit.tasks]",
          Histories("put"), Histories("overwrite")),
    patch("a cursor that passes an item when it is settled", "skipscan/items/lane.py",
          "self._next = page.last_evaluated_key", "self._next = self.start_key = page.last_evaluated_key",
          Histories("retrofit")),
    patch("a put only into a collection that lives", "skipscan/act/job.py", "if self.plan.skips_ended", "if False",
          Histories("put if it lives")),
    patch("a delete only where its condition is met", "skipscan/act/actions/delete_item.py",
          " = rendered_template(self.condition, key) if self.condition else", ": Item =", Histories("delete if")),
    patch("a listed item only with no other attributes", "skipscan/act/action.py", ", whole=True", "",
          of("unit/act/test_job.py", "a_listed_item_is_deleted_only_as_it_was_listed"),
          Histories("delete listed")),
    patch("an undo only of what a look has shown", "skipscan/act/item.py",
          "is_same_item(found, {**delete.key, **delete.expected})", "found", Histories("undo")),
    patch("an undo only of all that was put", "skipscan/act/item.py",
          "expects=delete.expected", "expects=None if delete.whole else delete.expected", Histories("undo")),
    patch("an update only of an existing item", "skipscan/aws/item.py", 'yield "attribute_exists(#k)"',
          "yield 'attribute_exists(#k) OR attribute_not_exists(#k)'", Histories("retrofit"),
          Histories("attribute keeper")),
    patch("an update only while its sources are unchanged", "skipscan/aws/item.py",
          'values[f":e{number}"] = value\n            yield f"#e{number} = :e{number}"', "pass",
          Histories("retrofit"), Histories("attribute keeper")),
    patch("a change that names what it was made of", "skipscan/items/assignments.py",
          ", **{source: item[source] for source in sources}", "", Histories("retrofit"),
          Histories("attribute keeper")),
    patch("a rename that overwrites no other value", "skipscan/items/assignments.py", "if moved:  # which",
          "if False:  # which", Histories("rename"), Histories("renaming keeper")),
    patch("a source that stays although its target is there", "skipscan/items/assignments.py",
          "if existing is not None and moved and not moved & item.keys():", "if existing is not None and moved:",
          Histories("rename"), Histories("renaming keeper")),
    patch("a strongly consistent look at an item", "skipscan/aws/item.py", "get.key, ConsistentRead=True", "get.key",
          Histories("attribute keeper"), Histories("replicator"), Histories("undo")),
    patch("an item put only where none is", "skipscan/aws/item.py", 'yield f"attribute_not_exists(#e{number})"',
          'yield f"attribute_not_exists(#e{number}) OR attribute_exists(#e{number})"', Histories("marker keeper"),
          Histories("copy"), Histories("put")),
    patch("a marker deleted only after a look at all of it", "skipscan/markers/keeper.py",
          "seen = yield get", "seen = at_key", Histories("marker keeper")),
    patch("a marker deleted only if it has the mark", "skipscan/markers/keeper.py", "not marker.is_marked(item)",
          "False", Histories("marker keeper")),
    patch("a marker deleted only if nothing was added", "skipscan/markers/keeper.py",
          " if marker.is_bare(item) else MarkerOutcome.EXTENDED", "", Histories("marker keeper")),
    patch("a marker deleted only as it was seen", "skipscan/markers/keeper.py", "seen.items() if n not in key",
          "seen.items() if n not in {*key, *marker.template.values}", Histories("marker keeper")),
    patch("strongly consistent looks at a collection", "skipscan/aws/item.py", '"ConsistentRead": True,', "",
          Histories("marker keeper"), Histories("put if it lives")),
    patch("late looks promised before all else", "handlers/stream.py",
          "LateLooks(sqs, replica).promise(change.key for change in delivery.changes(key))", "pass", Histories("copy")),
    patch("late looks that come late enough", "skipscan/copy/replica.py", "DELAY_SECONDS = 900", "DELAY_SECONDS = 5",
          Histories("copy")),
    patch("an item that differs is for the replicator", "skipscan/copy/item.py",
          "answer.item is not None and is_same_item(answer.item, made.item)", "answer.item is not None",
          Histories("copy"), of("unit/copy/test_item.py")),
    patch("a look after every write of a replicator", "skipscan/copy/reconciling.py",
          "Refused):\n            return Ending.REFUSED", "object):\n            return Ending.WRITTEN",
          Histories("calm replicator")),
    patch("a message sent only if the queue names it", "skipscan/aws/messages.py",
          " if id in taken else Refusal(NOT_ACKNOWLEDGED, is_final=False)", "", Histories("send")),
    patch("no keys handed on that a function failed at", "skipscan/act/requests.py", '"FunctionError" in answer',
          "False", Histories("invoke")),
    patch("keys that a function names are failed", "skipscan/act/requests.py",
          " = ActCounts(sent=len(task.lines) - len(places), failed=len(places))",
          ", places = ActCounts(sent=len(task.lines)), []", Histories("invoke")),
    patch("a function that may be at work is not called again", "skipscan/act/requests.py",
          'TaskResult.refused(task, "TimedOut"', "RefusedTask('TimedOut'", Histories("invoke")),
    patch("an id for the same keys and no others", "skipscan/act/task_source.py", ' f"{part}-{self._begin}"',
          " f'{part}-{self._number}'", Histories("invoke")),
)
# fmt: on
