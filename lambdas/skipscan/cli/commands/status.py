"""`skipscan status TABLE [NAME]`: the status of a run or job."""

from datetime import UTC, datetime

from skipscan.cli.at import At
from skipscan.cli.options import examples, grouped_command
from skipscan.cli.output import print_json
from skipscan.cli.say import waiting
from skipscan.cli.work_options import deployed_options, follow_option, json_option, work_argument


@grouped_command(
    epilog=examples(
        "skipscan status Orders --env dev",
        "skipscan status Orders monday --env dev --follow",
        "skipscan status Orders --kind act --env dev",
        "skipscan status Orders --env dev --json | jq .keys",
    ),
)
@work_argument
@follow_option
@json_option
@deployed_options
def status_command(
    *,
    at: At,
    table_name: str,
    name: str | None,
    label: str | None,
    follow: bool,
    as_json: bool,
) -> None:
    """Show the status of a run or job over TABLE (default: the newest run).

    Figures cover committed batches only. A worker commits its first batch within 15 seconds, the second after a
    minute, and later ones after four minutes, unless the environment says otherwise. With --follow --json, prints a
    line of JSON after each change.
    """
    from skipscan.cli.board import board, show
    from skipscan.cli.follow import check_ended, follow_work

    deployed = at.deployed(table_name)
    with waiting("reading the status"):
        watch = deployed.watch(name, label)
        status_now = watch.look()
    if follow:
        status_now = follow_work(watch, status_now, as_json=as_json, env=at.env)
    if not as_json:
        show(board(status_now, None, datetime.now(UTC)))
    elif not follow:
        print_json(status_now.to_json())
    check_ended(status_now, deployed)
