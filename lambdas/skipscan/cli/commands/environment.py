"""`deploy`, `destroy` and `schema`: the commands about an environment and its inputs."""

from pathlib import Path

import click

from skipscan.cli.options import examples, options, performed_by, region_and_profile
from skipscan.cli.work_options import NOUNS, env_option

environment_options = options(
    env_option("The environment: its stack is skipscan-ENV.", required=True),
    region_and_profile,
)
verbose_option = click.option("--verbose", is_flag=True, help="Show every resource and every event.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


@click.command(
    epilog=examples(
        "skipscan deploy --table Orders --env prod",
        "skipscan deploy --env prod --schedule 'cron(0 3 * * ? *)' --timezone Europe/Berlin",
        "skipscan deploy --env prod --notify you@example.com",
        "skipscan deploy --env prod --permissions",
        "skipscan deploy --env prod --save package",
    ),
)
@click.option("--table", "tables", multiple=True, help="A table that runs may read. Repeat for up to five.")
@click.option("--schedule", help="When to list the first table: cron(...) or rate(...).")
@click.option("--no-schedule", is_flag=True, help="Remove the schedule.")
@click.option("--timezone", help="Time zone of a cron schedule, such as Europe/Berlin.")
@click.option("--schedule-input", metavar="JSON", help="More fields of the scheduled run's input.")
@click.option(
    "--notify",
    metavar="EMAIL/ARN",
    help="E-mail address, or SNS topic, that gets a sentence about every finished run; none for no notice.",
)
@click.option(
    "--notify-if",
    type=click.Choice(["finished", "changed"]),
    help="Notify of every finished run, or not of one that is compared and has the same keys.",
)
@click.option("--alarm-topic", metavar="ARN", help="SNS topic that alarms are sent to; none for no topic.")
@click.option(
    "--permissions-boundary",
    metavar="NAME",
    help="Permissions boundary of every role: the policy's name, with its path.",
)
@click.option("--role-path", metavar="PATH", help="Path of every role, such as /team/.")
@click.option(
    "--subnet", "subnets", multiple=True, metavar="ID", help="A subnet that the functions run in. Repeatable."
)
@click.option("--security-group", "security_groups", multiple=True, metavar="ID", help="A security group. Repeatable.")
@click.option("--tag", "tags", multiple=True, metavar="NAME=VALUE", help="A tag for all resources. Repeatable.")
@click.option("--role-arn", metavar="ARN", help="Role for CloudFormation (default: your own permissions).")
@click.option("--code-bucket", metavar="BUCKET", help="Your bucket for code and template (default: a new bucket).")
@yes_option
@verbose_option
@click.option("--permissions", is_flag=True, help="Print the policy that deploying needs, and deploy nothing.")
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write template, zip and policies into this new folder, and deploy nothing.",
)
@environment_options
@performed_by("skipscan.cli.deploy")
def deploy() -> None:
    """Deploy an environment, or upgrade it in place, with CloudFormation alone.

    The stack lists up to five tables of its account and region, with one schedule and alarms. Jobs that write (act,
    retrofit, copy) need the CDK: make deploy ENV=... in a checkout. An option that is left out keeps its value.

    Shows what CloudFormation would change, and asks before anything is made.
    """


@click.command(
    epilog=examples("skipscan destroy --env prod"),
)
@yes_option
@verbose_option
@environment_options
@performed_by("skipscan.cli.destroy")
def destroy() -> None:
    """Remove the stack of an environment that `skipscan deploy` made.

    Says what stays (the bucket of the results, the bucket of the code) and asks. A run that is under way ends.
    """


@click.command(epilog=examples("skipscan schema run", "skipscan schema act > act.schema.json"))
@click.argument("kind", type=click.Choice(NOUNS))
@performed_by("skipscan.cli.schema")
def schema() -> None:
    """Print the JSON Schema of the input of a state machine: of a run, an act, a retrofit or a copy."""
