"""The run in a folder, finished or not, as a command finds it: its plan, its manifest, the input to continue."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skipscan.errors import InputError, NotFoundError, intact
from skipscan.folder.storage import Folder
from skipscan.library.finished import manifest_of
from skipscan.listing.compare.comparison import count_of
from skipscan.listing.execution_input import ExecutionInput, parse
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results


def plan_in(folder: Path) -> Mapping[str, Any] | None:
    """Return the content of a folder's plan.json; `None` if the folder is new.

    Raises `InputError` for the plan of anything but a run, also for one that somebody changed.
    """
    with intact(folder_refused(folder, "its plan.json is not the plan of a run")):
        document = results_in(folder, "run").plan()
        if document is not None:
            work, requested = LISTING.work(document), document.get("asked")
            LISTING.part(work.plan), LISTING.start(work.plan, 0).left(work.plan)
            if not isinstance(requested, dict | None):
                raise TypeError
    return document


def unfinished_in(folder: Path, bounds: Mapping[str, Any]) -> ExecutionInput:
    """Return the input of a folder's unfinished run; raise `SkipscanError` without one. `bounds`: replace its own."""
    document = plan_in(folder)
    if document is None:
        there = "holds no run" if folder.is_dir() else "is no folder"
        raise NotFoundError(str(folder), rule=there, remedy="name one that `skipscan keys --folder` wrote")
    if document.get("asked") is None:
        raise deployed_folder_refused(folder)
    if (manifest := finished_in(folder, results_in(folder, document["name"]))) is not None:
        raise NotFoundError(
            f"the run in {folder}",
            rule=f"is finished, with {count_of(manifest)}; only unfinished work can be resumed",
            remedy=f"`skipscan download {os.path.join(folder, '')}` prints them",
        )
    table = LISTING.work(document).plan.table
    return parse({**document["asked"], "table": table, **document.get("bounds", {}), **bounds})


def finished_in(folder: Path, results: Results) -> Mapping[str, Any] | None:
    """Return the manifest of a folder's run; `None` if the run is unfinished."""
    return manifest_of(results, folder_refused(folder, "its manifest.json is not the manifest of a run"))


def results_in(folder: Path, name: str) -> Results:
    return Results(Folder(folder), LISTING.layout("", "any", name, root=""))


def deployed_folder_refused(folder: Path) -> InputError:
    return folder_refused(folder, "it contains a run of a deployed environment")


def folder_refused(
    folder: Path, rule: str, remedy: str = "use a new folder", others: Mapping[str, object] | None = None
) -> InputError:
    return InputError("folder", str(folder), rule, remedy, others=others)
