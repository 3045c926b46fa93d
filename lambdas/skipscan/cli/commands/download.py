"""`skipscan download TABLE [RUN]`: the keys of a finished run."""

from pathlib import Path

from skipscan.cli.at import At
from skipscan.cli.options import examples, grouped_command
from skipscan.cli.output import check_not_of
from skipscan.cli.say import waiting
from skipscan.cli.work_options import env_options, file_option, format_option, is_folder, run_argument


@grouped_command(
    epilog=examples(
        "skipscan download Orders --env dev > customers.txt",
        "skipscan download Orders monday --env dev --format jsonl --output customers.jsonl",
        "skipscan download ./orders --output customers.txt",
    ),
)
@run_argument
@file_option("--output", "-o", help="Write the keys to this file (default: stdout).")
@format_option()
@env_options
def download_command(
    *,
    at: At,
    table_name: str,
    run: str | None,
    output: Path | None,
    form: str | None,
) -> None:
    """Download the keys of a finished RUN over TABLE (default: the newest finished run).

    Instead of TABLE, name the path of a folder that `skipscan keys --folder` wrote, or a copy of a run.

    Checks the SHA-256 of each part before writing its keys. The output file appears only when it is complete, with the
    mode of the file that it replaces. Links are followed. A pipe or device gets the keys at once.
    """
    from skipscan.cli.key_files import fetch
    from skipscan.library.finished import run_in

    if run is None and is_folder(table_name, at):
        check_not_of(Path(table_name), output)
        local = run_in(Path(table_name))
        fetch(local.storage, local.manifest, output, form)
        return
    deployed = at.deployed(table_name)
    with waiting("finding the run"):
        manifest = deployed.finished(run)
    fetch(deployed.storage, manifest, output, form)
