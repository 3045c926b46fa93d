"""Every command of the command line that calls AWS, with its calls recorded."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping

from local.checkout import ACCOUNT, REGION, ROOT, environ
from local.embedded import Embedded
from tests.engines.e2e.holding import held
from tests.engines.e2e.proxy import Proxy

COMMAND_LINE = "command line"
RUN_COMMANDS = "commands about runs"
JOB_COMMANDS = "commands about jobs"
QUEUE = f"arn:aws:sqs:{REGION}:{ACCOUNT}:keys"


def use_the_command_line(account: Embedded, dynamodb: Proxy) -> None:
    variables = environ(
        AWS_ENDPOINT_URL=account.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB=account.dynamodb_endpoint,
        SKIPSCAN_CALLER=COMMAND_LINE,
        PYTHONPATH=os.pathsep.join([os.environ["PYTHONPATH"], str(ROOT / "lambdas")]),
    )
    for command in (
        ["keys", "Orders"],
        ["plan", "Orders"],
        ["profile", "Orders", "--json"],
        ["keys", "Orders", "--index", "by-state"],
    ):
        say(command, variables)
    for source in ([], ["--index", "by-state"]):
        say(["keys", "Orders", *source, "--last", "body"], variables)

    variables |= {"SKIPSCAN_CALLER": RUN_COMMANDS, "SKIPSCAN_ENV": "iam"}
    halves = ["--segments", "6", "--workers", "2"]
    say(["run", "Orders", "--name", "followed", "--follow", "--max-read-units-per-second", "10", *halves], variables)
    with held(dynamodb) as at_work:
        say(["run", "Orders", "--name", "left", "--max-read-units-per-second", "5", *halves], variables)
        assert at_work.wait(600)
        say(["stop", "Orders", "left", "--kind", "run"], variables)
    for command in (
        ["status", "Orders", "left"],
        ["resume", "Orders", "left", "--max-read-units-per-second", "100", "--follow"],
        ["runs", "Orders", "--kind", "run"],
        ["download", "Orders"],
        ["diff", "Orders"],
        ["run", "Orders", "--only", str(ROOT / "LICENSE"), "--follow"],  # lines, whatever they are
        ["run", "Orders", "--only-run", "followed", "--follow"],
    ):
        say(command, variables)

    variables |= {"SKIPSCAN_CALLER": JOB_COMMANDS}
    one_by_one = ["--send", json.dumps({"queue": QUEUE, "keys_per_message": 1}), "--max-keys-per-second", "0.1"]
    for_real, slowly = ["--for-real", "--without-recovery"], ["--max-write-units-per-second", "1"]
    for command in (
        ["runs", "Orders"],
        ["status", "Orders", "left-act"],
        ["status", "Orders", "left-retrofit"],
        ["resume", "Orders", "left-act", "--max-write-units", "1000000", "--without-recovery", "--follow"],
        # Minutes of work, so that it is not done before it is stopped.
        ["act", "Orders", "whole", "--name", "slow", *one_by_one, "--for-real"],
        ["stop", "Orders", "slow"],
        ["retrofit", "Orders", "--set", "slow={customer}", "--name", "slow-retrofit", *for_real, *slowly],
        ["stop", "Orders", "slow-retrofit"],
    ):
        say(command, variables)


def say(command: list[str], variables: Mapping[str, str]) -> None:
    program = [sys.executable, "-m", "skipscan", *command]
    done = subprocess.run(program, env=variables, check=False, capture_output=True, text=True)
    # The status of work that was stopped is 3.
    assert done.returncode in ((0, 3) if command[0] == "status" else (0,)), (command, done.stderr)
