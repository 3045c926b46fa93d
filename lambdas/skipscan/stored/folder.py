"""The work in any folder, on S3 or on a disk: of which kind it is, its plan, and how it ended."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from skipscan.errors import InputError, StateError, intact
from skipscan.loop.kind import Kind
from skipscan.loop.reader import ResultsReader
from skipscan.loop.storage import Storage
from skipscan.loop.work import check_form
from skipscan.stored.stored_work import StoredWork


def work_in(storage: Storage, root: str, kinds: Sequence[Kind[Any]]) -> StoredWork:
    """Return the work of one of these kinds below a root; raise `InputError` if there is something else."""
    found = [StoredWork(kind, ResultsReader(storage, kind.layout("", "any", "run", root=root))) for kind in kinds]
    plan, results = plan_of(found[0].results), found[0].results
    with intact(strange()):
        ending = _ended(results, results.layout.manifest, 0) or _ended(results, results.layout.unfinished, 0) or {}
        for work in found:
            if work.kind.label in ending and "complete" in ending:
                return work
    check_form(plan, "the plan of the folder")
    for work in found:
        with suppress(StateError):  # of another kind
            work.kind.work(plan)
            return work
    raise strange()


def strange() -> InputError:
    """Return the refusal of a folder whose documents are of something else, or were changed."""
    return InputError(
        "the folder",
        rule="has objects that do not belong to a run or job",
        remedy="give the unchanged folder of a Skipscan run or job",
    )


def address_of(results: ResultsReader) -> str:
    """Return the address of the folder, for people and other tools."""
    return results.storage.uri(results.layout.plan).removesuffix("plan.json")


def plan_of(results: ResultsReader) -> Mapping[str, Any]:
    """Return plan.json in whatever form it has; raise `InputError` if there is none, or something else."""
    with intact(strange()):
        plan = results.stored_plan()
    if plan is None:
        raise InputError(
            "the folder",
            address_of(results),
            "it has no plan.json, so it is not that of a run or job",
            "give the folder that contains manifest.json, such as s3://bucket/skipscan/Orders/runs/nightly-2026-01-31/",
        )
    if "form" not in plan:
        raise strange()
    return plan


def ending_of(results: ResultsReader, resumes: int, batches: int, most_parts: int) -> Mapping[str, Any] | None:
    """Return the manifest, or `unfinished.json` unless the work was resumed or has committed batches since.

    `most_parts`: of those that it lists; of each other there are its bytes alone.
    """
    if finished := _ended(results, results.layout.manifest, most_parts):
        return finished
    stopped = _ended(results, results.layout.unfinished, most_parts)
    # A resume leaves unfinished.json as it is until its own budget ends: meanwhile only the checkpoints are right.
    is_old = stopped and (stopped.get("resumes", 0) != resumes or stopped.get("batches", batches) < batches)
    return None if is_old else stopped


def _ended(results: ResultsReader, name: str, most_parts: int) -> Mapping[str, Any] | None:
    """Return a manifest without most of its parts: tens of thousands would take more memory than all else here."""
    numbers = count()

    def shortened(found: dict[str, Any]) -> Any:
        is_shown = found.keys() != {"name", "keys", "bytes", "sha256"} or next(numbers) < most_parts
        return found if is_shown else int(found["bytes"])

    return results.document(name, shortened)
