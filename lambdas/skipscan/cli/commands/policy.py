"""`skipscan policy NAME`: an IAM policy for users of an environment."""

import json
import re
from pathlib import Path
from typing import Any

import click

from skipscan.cli.options import checked_region, completed, examples, formed, grouped_command, option
from skipscan.cli.output import print_json
from skipscan.cli.say import say
from skipscan.cli.work_options import complete_environment, env_option
from skipscan.inputs.fields import OptionGroup
from skipscan.inputs.names import (
    ACCOUNT,
    BUCKET_NAME,
    ENVIRONMENT_NAME,
    TABLE_ARN,
    TABLE_NAME,
    TOPIC_ARN,
    TOPIC_NAME,
    in_partition,
    partition_of,
)

INSTALLED = Path(__file__).parents[1] / "stack" / "packaged" / "policies"
IN_A_CHECKOUT = Path(__file__).parents[4] / "docs" / "policies"
POLICIES = {
    "command-line": "plan, profile and keys, with nothing deployed",
    "run": "every command about runs",
    "jobs": "act, retrofit and copy; in addition to run",
    "cut-over": "copy compare --cut-over; in addition to run and jobs",
    "topic": "of the SNS topic itself that gets announcements and alarms",
}
NAMES = re.compile(r"\b(ENVIRONMENT|REGION|ACCOUNT|BUCKET|TABLE|TOPIC)\b")
"""The placeholders of a policy."""

ANY_TABLE = "arn:aws:dynamodb:REGION:ACCOUNT:table/TABLE"
ANY_TOPIC = "arn:aws:sns:REGION:ACCOUNT:TOPIC"


@grouped_command(
    epilog=examples(
        "skipscan policy run --env dev --region eu-central-1 --account 111111111111 --bucket skipscan-dev-results",
        "skipscan policy command-line > policy.json",
        "skipscan policy topic --account 111111111111 --topic arn:aws:sns:eu-central-1:222222222222:runs > topic.json",
    ),
)
@click.argument("name", type=click.Choice(list(POLICIES)))
@env_option(
    "The environment.",
    shell_complete=complete_environment,
    callback=formed("1 to 24 of a-z, A-Z, 0-9 and -", ENVIRONMENT_NAME),
)
@option(
    OptionGroup.CONNECTION,
    "--region",
    callback=checked_region,
    help="The environment's region.",
    shell_complete=completed("region"),
)
@option(
    OptionGroup.CONNECTION,
    "--account",
    callback=formed("an account of 12 digits", ACCOUNT),
    help="The environment's account.",
)
@option(
    OptionGroup.CONNECTION,
    "--bucket",
    callback=formed("the name of a bucket", BUCKET_NAME),
    help="The environment's bucket: the stack's output BucketName.",
)
@option(
    OptionGroup.CONNECTION,
    "--table",
    shell_complete=completed("table"),
    callback=formed("the name or the ARN of a table", TABLE_NAME, TABLE_ARN),
    help="The table, by its name or ARN.",
)
@option(
    OptionGroup.CONNECTION,
    "--topic",
    callback=formed("the name or the ARN of a topic", TOPIC_NAME, TOPIC_ARN),
    help="The SNS topic, by its name or ARN.",
)
def policy(
    *,
    name: str,
    env: str | None,
    region: str | None,
    account: str | None,
    bucket: str | None,
    table: str | None,
    topic: str | None,
) -> None:
    """Print the IAM policy NAME as JSON. Calls no AWS service.

    command-line: for plan, profile and keys, with nothing deployed. run: for every command about runs. jobs: for act,
    retrofit and copy, in addition to run. cut-over: for copy compare --cut-over, in addition to both. topic: the policy
    of the topic that gets announcements and alarms, if it is in another account or has a policy of its own. Values
    without an option stay as placeholders in capitals. The ARNs have the partition of --region (default: aws).
    """
    folder = INSTALLED if INSTALLED.is_dir() else IN_A_CHECKOUT
    document = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    given = {"ENVIRONMENT": env, "REGION": region, "ACCOUNT": account, "BUCKET": bucket, "TABLE": table, "TOPIC": topic}
    arns = {
        placeholder: value
        for placeholder, value, form in ((ANY_TABLE, table, TABLE_ARN), (ANY_TOPIC, topic, TOPIC_ARN))
        if value and form.fullmatch(value)
    }
    left: set[str] = set()

    def in_place(found: re.Match[str]) -> str:
        value = given[found[0]]
        if value is None:
            left.add(found[0])
        return value or found[0]

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: filled(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [filled(inner) for inner in value]
        for placeholder, arn in arns.items():
            if value.startswith(placeholder):
                return str(arn + value.removeprefix(placeholder))
        value = NAMES.sub(in_place, value)
        return in_partition(value, partition_of(region)) if region else value

    print_json(filled(document))
    if left:
        say(f"replace {', '.join(sorted(left))} before you attach the policy")
    if name == "topic":
        place = topic if ANY_TOPIC in arns else "ARN"
        say(
            "this replaces the topic's policy; merge them if it has one: aws sns set-topic-attributes --topic-arn "
            f"{place} --attribute-name Policy --attribute-value file://topic.json"
        )
