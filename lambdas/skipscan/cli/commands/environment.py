"""`deploy`, `destroy`, `schema` and `completion`: the commands that set up an environment, its inputs or a shell."""

from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from skipscan.cli.commands import NOUNS
from skipscan.cli.options import completed, examples, grouped_command, option, options, performed_by, region_and_profile
from skipscan.cli.output import print_json
from skipscan.cli.work_options import complete_environment, env_option
from skipscan.inputs.fields import OptionGroup, Schema

environment_options = options(
    env_option("The environment: its stack is skipscan-ENV.", required=True, shell_complete=complete_environment),
    region_and_profile,
)
verbose_option = option(OptionGroup.ADVANCED, "--verbose", is_flag=True, help="Show every resource and every event.")
yes_option = option(OptionGroup.ADVANCED, "--yes", is_flag=True, help="Do not ask.")


@grouped_command(
    epilog=examples(
        "skipscan deploy --table Orders --env prod",
        "skipscan deploy --env prod --schedule 'cron(0 3 * * ? *)' --timezone Europe/Berlin",
        "skipscan deploy --env prod --add-table Audit --dry-run",
        "skipscan deploy --env prod --notify you@example.com",
        "skipscan deploy --env prod --permissions",
        "skipscan deploy --env prod --save package",
    ),
)
@option(
    OptionGroup.READ,
    "--table",
    "tables",
    multiple=True,
    shell_complete=completed("table"),
    help="A table that runs may read. Repeat for up to five: these are then all.",
)
@option(
    OptionGroup.READ,
    "--add-table",
    "added_tables",
    multiple=True,
    shell_complete=completed("table"),
    help="A table to add to those that are deployed. Repeatable.",
)
@option(OptionGroup.READ, "--schedule", help="When to list the first table: cron(...) or rate(...).")
@option(OptionGroup.READ, "--no-schedule", is_flag=True, help="Remove the schedule.")
@option(
    OptionGroup.READ,
    "--timezone",
    shell_complete=completed("timezone"),
    help="Time zone of a cron schedule, such as Europe/Berlin.",
)
@option(OptionGroup.READ, "--schedule-input", metavar="JSON", help="More fields of the scheduled run's input.")
@option(
    OptionGroup.PLACE,
    "--notify",
    metavar="EMAIL/ARN",
    help="E-mail address, or SNS topic, that gets a sentence about every finished run; none for no notice. The address "
    "also gets alarms, unless --alarm-topic is given.",
)
@option(
    OptionGroup.PLACE,
    "--notify-if",
    type=click.Choice(["finished", "changed"]),
    help="Notify of every finished run, or not of one that is compared and has the same keys.",
)
@option(OptionGroup.PLACE, "--alarm-topic", metavar="ARN", help="SNS topic that alarms are sent to; none for no topic.")
@option(
    OptionGroup.ADVANCED,
    "--permissions-boundary",
    metavar="NAME",
    help="Permissions boundary of every role: the policy's name, with its path.",
)
@option(OptionGroup.ADVANCED, "--role-path", metavar="PATH", help="Path of every role, such as /team/.")
@option(
    OptionGroup.ADVANCED,
    "--subnet",
    "subnets",
    multiple=True,
    metavar="ID",
    help="A subnet that the functions run in. Repeatable.",
)
@option(
    OptionGroup.ADVANCED,
    "--security-group",
    "security_groups",
    multiple=True,
    metavar="ID",
    help="A security group. Repeatable.",
)
@option(
    OptionGroup.ADVANCED,
    "--tag",
    "tags",
    multiple=True,
    metavar="NAME=VALUE",
    help="A tag for all resources. Repeatable.",
)
@option(
    OptionGroup.ADVANCED, "--role-arn", metavar="ARN", help="Role for CloudFormation (default: your own permissions)."
)
@option(
    OptionGroup.ADVANCED,
    "--code-bucket",
    metavar="BUCKET",
    help="Your bucket for code and template (default: a new bucket).",
)
@option(OptionGroup.ADVANCED, "--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@yes_option
@verbose_option
@option(
    OptionGroup.ADVANCED,
    "--permissions",
    is_flag=True,
    help="Print the policy that deploying needs, and deploy nothing.",
)
@option(
    OptionGroup.PLACE,
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write template, zip and policies into this new folder, and deploy nothing.",
)
@environment_options
@performed_by("skipscan.cli.deploy:deploy")
def deploy_command() -> None:
    """Deploy an environment, or upgrade it in place, with CloudFormation alone.

    The stack lists up to five tables of its account and region, with one schedule and alarms. Jobs that write (act,
    retrofit, copy) need the CDK: make deploy ENV=... in a checkout. An option that is left out keeps its value.

    Shows what CloudFormation would change, and asks before anything is made.
    """


@grouped_command(
    epilog=examples("skipscan destroy --env prod"),
)
@yes_option
@verbose_option
@environment_options
@performed_by("skipscan.cli.deploy:destroy")
def destroy_command() -> None:
    """Remove the stack of an environment that `skipscan deploy` made.

    Says what stays (the bucket of the results, the bucket of the code) and asks. A run that is under way ends.
    """


@grouped_command(epilog=examples("skipscan schema run", "skipscan schema act > act.schema.json"))
@click.argument("kind", type=click.Choice(NOUNS))
def schema_command(kind: str) -> None:
    """Print the JSON Schema of the input of a state machine: of a run, an act, a retrofit or a copy."""
    print_json(schema_of(kind))


def schema_of(kind: str) -> Schema:
    """Return the schema of an input. Plan checks what depends on the table, and rules over several fields."""
    from skipscan.environment import KINDS  # noqa: PLC0415 (takes longer than `--help` may)

    fields = KINDS[kind].fields
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The input of a Skipscan {kind}",
        "description": "A null field counts as left out.",
        "type": "object",
        "required": [field.name for field in fields if field.need is not None],
        "additionalProperties": False,
        "properties": {field.name: field.schema for field in fields},
        "examples": [dict(KINDS[kind].example)],
    }


SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@grouped_command(
    epilog=examples(
        "skipscan completion bash >> ~/.bashrc",
        "skipscan completion zsh >> ~/.zshrc",
        "skipscan completion fish > ~/.config/fish/completions/skipscan.fish",
    ),
)
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for a shell."""
    root = context.find_root()
    click.echo(SHELLS[shell](root.command, {}, "skipscan", "_SKIPSCAN_COMPLETE").source())
