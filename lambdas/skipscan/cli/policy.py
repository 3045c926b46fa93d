"""`skipscan policy NAME`: an IAM policy for users of an environment."""

import re
from pathlib import Path

import click

from skipscan.cli.environments import complete_environment
from skipscan.cli.options import examples
from skipscan.cli.partition import in_partition, partition_of
from skipscan.cli.work_options import env_option

INSTALLED = Path(__file__).parent / "stack" / "packaged" / "policies"
IN_A_CHECKOUT = Path(__file__).parents[3] / "docs" / "policies"
POLICIES = {
    "command-line": "plan and keys, with nothing deployed",
    "run": "every command about runs",
    "jobs": "act, retrofit and copy; in addition to run",
    "cut-over": "copy --cut-over; in addition to run and jobs",
}
NAMES = re.compile(r"\b(ENVIRONMENT|REGION|ACCOUNT|BUCKET|TABLE)\b")
"""The placeholders of a policy."""


@click.command(
    epilog=examples(
        "skipscan policy run --env dev --region eu-central-1 --account 111111111111 --bucket skipscan-dev-results",
        "skipscan policy command-line > policy.json",
    ),
)
@click.argument("name", type=click.Choice(list(POLICIES)))
@env_option("The environment.", shell_complete=complete_environment)
@click.option("--region", help="The environment's region.")
@click.option("--account", help="The environment's account.")
@click.option("--bucket", help="The environment's bucket: the stack's output BucketName.")
@click.option("--table", help="The table that is read with nothing deployed.")
def policy(
    *, name: str, env: str | None, region: str | None, account: str | None, bucket: str | None, table: str | None
) -> None:
    """Print the IAM policy NAME as JSON. Calls no AWS service.

    command-line: for plan and keys, with nothing deployed. run: for every command about runs. jobs: for act, retrofit
    and copy, in addition to run. cut-over: for copy --cut-over, in addition to both. Values without an
    option stay as placeholders in capitals. The ARNs have the partition of --region (default: aws).
    """
    folder = INSTALLED if INSTALLED.is_dir() else IN_A_CHECKOUT
    text = (folder / f"{name}.json").read_text(encoding="utf-8")
    given = {"ENVIRONMENT": env, "REGION": region, "ACCOUNT": account, "BUCKET": bucket, "TABLE": table}
    filled = NAMES.sub(lambda found: given[found[0]] or found[0], text)
    if region:
        filled = in_partition(filled, partition_of(region))
    click.echo(filled, nl=False)
    if left := sorted(set(NAMES.findall(filled))):
        click.echo(f"skipscan: replace {', '.join(left)} before you attach the policy", err=True)
