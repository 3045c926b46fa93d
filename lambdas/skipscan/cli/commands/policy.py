"""`skipscan policy NAME`: an IAM policy for users of an environment."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from skipscan.cli.options import checked_region, completed, examples, formed, grouped_command, option
from skipscan.cli.output import print_json
from skipscan.cli.say import say
from skipscan.cli.work_options import env_option
from skipscan.inputs.field import without_nulls
from skipscan.inputs.fields import OptionGroup
from skipscan.inputs.names import (
    ACCOUNT,
    BUCKET_NAME,
    ENVIRONMENT_NAME,
    TABLE_ARN,
    TABLE_NAME,
    TOPIC_ARN,
    TOPIC_NAME,
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
    arns = {
        placeholder: value
        for placeholder, value, form in ((ANY_TABLE, table, TABLE_ARN), (ANY_TOPIC, topic, TOPIC_ARN))
        if value and form.fullmatch(value)
    }
    given = {"ENVIRONMENT": env, "REGION": region, "ACCOUNT": account, "BUCKET": bucket, "TABLE": table, "TOPIC": topic}
    known = arns | without_nulls(given)
    print_json(filled(document, known, partition_of(region) if region else "aws"))
    if left := (given.keys() - known.keys()) & {*NAMES.findall(json.dumps(filled(document, arns, "aws")))}:
        say(f"replace {', '.join(sorted(left))} before you attach the policy")
    if name == "topic":
        place = arns.get(ANY_TOPIC, "ARN")
        say(
            "this replaces the topic's policy; merge them if it has one: aws sns set-topic-attributes --topic-arn "
            f"{place} --attribute-name Policy --attribute-value file://topic.json"
        )


def filled(document: Any, values: Mapping[str, str], partition: str) -> Any:
    """Return a policy with these values in place of its placeholders, and ARNs of this partition."""
    # At once, because a value may hold such a word itself.
    values = {**values, "arn:aws:": f"arn:{partition}:"}  # last: a given ARN keeps its partition
    names = re.compile("|".join(rf"(?<![A-Z]){re.escape(name)}(?![A-Z])" for name in values))
    return json.loads(names.sub(lambda found: json.dumps(values[found[0]])[1:-1], json.dumps(document)))
