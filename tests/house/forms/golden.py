"""The stored forms of each kind of work, as its golden file has them: plan, state, report and manifest.

`python -m tests.house.forms.golden` writes the files anew. Whoever needs that changes what other versions can read:
`skipscan.loop.work.FORM` must be raised too, if a version with the old form is released.
"""

import json
from pathlib import Path
from typing import Any

from skipscan.loop.finish import manifest
from skipscan.loop.kind import progress_to_json
from skipscan.loop.results import indented
from skipscan.loop.work import sealed
from tests.unit.loop.test_proof import NAMED, ROWS, WHOLE, Whole

FOLDER = Path(__file__).parent
MOMENT = "(another each time)"
TIMES = ("finished", "seconds", "skipscan_version")
"""Fields of a manifest whose values are of the moment."""


def path(kind: str) -> Path:
    return FOLDER / f"{kind}.json"


def forms(whole: Whole) -> dict[str, Any]:
    """Return each stored form, as JSON has it."""
    work = whole.kind.new_work(NAMED, whole.plan)
    done, left = whole.reached[1], whole.unfinished
    written = indented(manifest(whole.kind, work, ROWS, whole.reached[0].counts + done.counts, whole.reached))
    documents = {
        "plan.json, and what rides in state": work.to_json(),
        "a worker's state": sealed(progress_to_json(left, whole.plan), work),
        "a worker's state at its end": sealed(progress_to_json(done, whole.plan), work),
        "manifest.json": {**json.loads(written), **dict.fromkeys(TIMES, MOMENT)},
    }
    as_json: dict[str, Any] = json.loads(json.dumps(documents))
    return as_json


def main() -> None:
    for kind, whole in WHOLE.items():
        path(kind).write_text(json.dumps(forms(whole), indent=2) + "\n")


if __name__ == "__main__":
    main()
