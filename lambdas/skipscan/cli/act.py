"""`skipscan act TABLE [RUN]`: put, delete, call or send for every key of a run."""

from typing import Any

from skipscan.act.input import parse_action
from skipscan.act.kind import ACT
from skipscan.act.registry import ACTIONS
from skipscan.cli.job import job_document, start_job
from skipscan.errors import NotFoundError
from skipscan.inputs.names import quoted
from skipscan.library.deployed import Deployed


def act(
    *,
    table_name: str,
    run: str | None,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **fields: Any,
) -> None:
    """Carry out `skipscan act`."""
    for option, action in ACTIONS.items():
        if fields[option] is not None and action.metavar == "JSON":
            fields[option] = job_document(option, fields[option])
    deployed = Deployed.of(env, table_name, region, profile)
    document = {"table": table_name, "run": run or "any", **fields}
    if run is None:
        parse_action({field: value for field, value in document.items() if value is not None})
        deployed.machine("act")
        undone = fields["undo"]
        document["run"] = deployed.finished(None).name if undone is None else _run_of(deployed, undone)
    start_job(
        deployed, "act", document, parse=parse_action, for_real=for_real, name=name, follow=follow, as_json=as_json
    )


def _run_of(deployed: Deployed, job: str) -> str:
    """Return the run whose keys an act has; raise `NotFoundError` if there is no such act."""
    document = deployed.archive("act").results(job).plan()
    if document is None:
        raise NotFoundError(
            f'act is {quoted(job)}; table "{deployed.table}" has no act with this name in {deployed.env}: '
            f"`skipscan runs {deployed.table} --kind act --env {deployed.env}` lists them"
        )
    run: str = ACT.work(document).plan.run
    return run
