"""`act`: the command that does something for every key of a run."""

from skipscan.act.input import FIELDS
from skipscan.cli.options import examples, field_options, grouped_command, performed_by
from skipscan.cli.work_options import job_options, run_argument


@grouped_command(
    epilog=examples(
        """skipscan act Orders --env dev --put-item '{"item": {"order": "#static", "GSI-pk": "{customer}"}}'""",
        "skipscan act Orders monday --env dev --put-item @marker.json --for-real --follow",
        "skipscan act Orders --env dev --undo markers --for-real",
    ),
)
@run_argument
@field_options(FIELDS, "table", "run", "dry_run")
@job_options
@performed_by("skipscan.cli.job:act")
def act_command() -> None:
    """Put, delete, call or send for each key of a finished RUN over TABLE (default: the newest finished run).

    With --undo, RUN is the run of that job. Without --for-real, the command prints a preview and writes
    nothing. JSON is a document in quotes, or @FILE. The environment must enable acts on the table. `skipscan policy
    run` and `skipscan policy jobs` print the permissions you need.
    """
