"""The command `skipscan`, and what every one of its commands does when something goes wrong.

Exit status: 0 all went well, 1 the table or AWS said no, 2 the command line is wrong, 130 Ctrl-C, 141 whoever read
our output stopped reading.
"""

import sys
from typing import NoReturn

import click
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError

from skipscan import __version__
from skipscan.aws.table import ScanError
from skipscan.cli.keys import keys
from skipscan.cli.plan import plan
from skipscan.errors import InputError, SkipscanError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def skipscan() -> None:
    """List the distinct partition keys of a DynamoDB table for a fraction of a full scan's price."""


skipscan.add_command(keys)
skipscan.add_command(plan)


def main() -> NoReturn:
    """Run the command line, and end the process with its exit status."""
    try:
        status = skipscan.main(prog_name="skipscan", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.ClickException as error:
        vars(error)["message"] = _cut(error.message)
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        sys.exit(130)
    except NoCredentialsError:
        _fail("AWS credentials are missing: name a profile with --profile, or run `aws configure`")
    except NoRegionError:
        _fail("the AWS region is missing: name it with --region, or set AWS_REGION")
    except ClientError as error:
        said = error.response["Error"]
        _fail(f"{error.operation_name} failed with {said['Code']}: {said.get('Message', 'no message')}")
    except InputError as error:
        _say(str(error))
        sys.exit(2)
    except (SkipscanError, ScanError, BotoCoreError, OSError) as error:
        _fail(str(error))


def _cut(message: str) -> str:
    """Return a message of click without the middle of a value that would drown it; the rule stands at the end."""
    return message if len(message) <= 500 else f"{message[:150]}...{message[-300:]}"


def _fail(message: str) -> NoReturn:
    _say(message)
    sys.exit(1)


def _say(message: str) -> None:
    click.echo(f"skipscan: {message}", err=True)
