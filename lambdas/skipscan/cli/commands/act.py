"""`skipscan act TABLE [RUN]`: do something for every key of a run."""

from typing import TYPE_CHECKING, Any

from skipscan.act.input import ACTIONS, parse_action
from skipscan.act.input import FIELDS as ACT_FIELDS
from skipscan.cli.at import At
from skipscan.cli.options import examples, field_options, grouped_command
from skipscan.cli.work_options import job_options, run_argument
from skipscan.errors import InputError, NotFoundError
from skipscan.inputs.field import without_nulls

if TYPE_CHECKING:
    from skipscan.library.deployed import Deployed


@grouped_command(
    epilog=examples(
        """skipscan act Orders --env dev --put-item '{"item": {"order": "#static", "GSI-pk": "{customer}"}}'""",
        "skipscan act Orders monday --env dev --put-item @marker.json --for-real --follow",
        "skipscan act Orders --env dev --undo markers --for-real",
    ),
)
@run_argument
@field_options(ACT_FIELDS, "table", "run", "dry_run")
@job_options
def act_command(
    *,
    at: At,
    table_name: str,
    run: str | None,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    **fields: Any,
) -> None:
    """Put, delete, call or send for each key of a finished RUN over TABLE (default: the newest finished run).

    With --undo, RUN is the run of that job. Without --for-real, the command prints a preview and writes
    nothing. JSON is a document in quotes, or @FILE. The environment must enable acts on the table. `skipscan policy
    run` and `skipscan policy jobs` print the permissions you need.
    """
    from skipscan.cli.job import job_document, start_job

    for option, action in ACTIONS.items():
        if fields[option] is not None and action.metavar == "JSON":
            fields[option] = job_document(option, fields[option])
    deployed = at.deployed(table_name)
    document = {"table": table_name, "run": run or "any", **fields}
    if run is None:
        if fields["delete_listed"] is not None:
            raise InputError("RUN", rule="is missing; delete_listed deletes what a run listed", remedy="name that run")
        parse_action(without_nulls(document))
        deployed.machine("act")
        undone = fields["undo"]
        document["run"] = deployed.finished(None)["run"] if undone is None else _run_of(deployed, undone)
    start_job(deployed, "act", document, for_real=for_real, name=name, follow=follow, as_json=as_json)


def _run_of(deployed: "Deployed", job: str) -> str:
    """Return the run whose keys an act has; raise `NotFoundError` if there is no such act."""
    from skipscan.act.plan import DoneAct

    document = deployed.archive("act").work(job).results.stored_plan()
    if document is None:
        raise NotFoundError(
            "act",
            job,
            f'table "{deployed.table}" has no act with this name in {deployed.env}',
            f"`skipscan runs {deployed.table} --kind act --env {deployed.env}` lists them",
        )
    return DoneAct.of_any_version(document).run
