"""`download`, `diff` and `report`: the commands that read what a run or job wrote."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from skipscan.cli.options import completed, examples, grouped_command, option, performed_by, table_argument
from skipscan.cli.output import FILE, in_a_folder
from skipscan.cli.work_options import env_options, format_option, json_option, kind_option, run_argument
from skipscan.inputs.fields import OptionGroup
from skipscan.lines.formats import FORMATS

PAGE = Path("report.html")


@grouped_command(
    epilog=examples(
        "skipscan download Orders --env dev > customers.txt",
        "skipscan download Orders monday --env dev --format jsonl --output customers.jsonl",
        "skipscan download ./orders --output customers.txt",
    ),
)
@run_argument
@option(
    OptionGroup.PLACE,
    "--output",
    "-o",
    type=FILE,
    callback=in_a_folder,
    help="Write the keys to this file (default: stdout).",
)
@format_option()
@env_options
@performed_by("skipscan.cli.download:download")
def download_command() -> None:
    """Download the keys of a finished RUN over TABLE (default: the newest finished run).

    Instead of TABLE, name the path of a folder that `skipscan keys --folder` wrote, or a copy of a run.

    Checks the SHA-256 of each part before writing its keys. The output file appears only when it is complete, with the
    mode of the file that it replaces. Links are followed. A pipe or device gets the keys at once.
    """


@grouped_command(
    epilog=examples(
        "skipscan diff Orders --env dev",
        "skipscan diff Orders monday tuesday --env dev --new-keys new.txt --vanished-keys vanished.txt --json",
        "skipscan diff ./monday ./tuesday",
        "skipscan diff october.json november.json",
    ),
)
@table_argument
@click.argument("old", required=False, shell_complete=completed("run"))
@click.argument("new", required=False, shell_complete=completed("run"))
@option(
    OptionGroup.PLACE,
    "--new-keys",
    type=FILE,
    callback=in_a_folder,
    help="Write the keys that only NEW has to this file.",
)
@option(
    OptionGroup.PLACE,
    "--vanished-keys",
    type=FILE,
    callback=in_a_folder,
    help="Write the keys that only OLD has to this file.",
)
@format_option("Format of the keys, as in `skipscan keys`.", tuple(FORMATS))
@json_option
@env_options
@performed_by("skipscan.cli.diff:diff")
def diff_command() -> None:
    """Print the keys of TABLE that are new (+) in run NEW or have vanished (-) since run OLD.

    Without OLD and NEW, compares the two newest finished runs. To compare two folders that `skipscan keys --folder`
    wrote, or copies of runs, name their paths instead of TABLE. Two files that `skipscan profile --json` printed are
    compared as profiles: growth, new and gone attributes, types of items and indexes, skew, advice.

    The difference of keys is exact. Memory does not grow with the keys: both runs are sorted on disk in the folder for
    temporary files (TMPDIR), which needs room for both. With --new-keys, --vanished-keys or --json, keys are counted
    and not printed.
    """


@grouped_command(
    epilog=examples(
        "skipscan report Orders --env dev --open",
        "skipscan report Orders monday --env dev --output nightly.html",
        "skipscan report Orders --kind act --env dev",
        "skipscan report Orders --env dev --json | jq .ways",
        "skipscan report --folder s3://BUCKET/skipscan/Orders/runs/monday/",
        "skipscan report --folder ./monday",
        "skipscan report ./orders",
    ),
)
@click.argument("table_name", metavar="TABLE", required=False, shell_complete=completed("table"))
@click.argument("name", required=False, shell_complete=completed("work"))
@kind_option
@option(
    OptionGroup.PLACE,
    "--folder",
    shell_complete=lambda _context, _option, incomplete: [CompletionItem(incomplete, type="dir")],
    help="Instead of TABLE, the folder of a run or job: s3://BUCKET/PREFIX/TABLE/runs/RUN/, or a copy of it.",
)
@option(
    OptionGroup.PLACE,
    "--output",
    "-o",
    type=FILE,
    callback=in_a_folder,
    help=f"Write the page to this file (default: {PAGE}, or no page with --json).",
)
@option(OptionGroup.PLACE, "--open", "opens", is_flag=True, help="Open the page in the browser.")
@json_option
@env_options
@performed_by("skipscan.cli.report:report")
def report_command() -> None:
    """Write an HTML page about a run or job over TABLE (default: the newest run that has read anything).

    The page shows what was done, the bill, the time, and pictures of the progress; of a run also what other ways would
    take. It has no key values. Works while the run or job is running, too. Instead of TABLE, name the path of a folder
    that `skipscan keys --folder` wrote. --json prints the figures to stdout instead.
    """
