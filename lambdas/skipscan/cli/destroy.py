"""`skipscan destroy`: remove the stack of an environment that `skipscan deploy` made."""

import time

import boto3
import click

from skipscan.cli.deploy import environment_options, talk, yes_option
from skipscan.cli.options import examples
from skipscan.cli.stack.destroying import destroy as destroy_stack
from skipscan.cli.stack.found import check_environment
from skipscan.cli.stack.place import Place


@click.command(
    epilog=examples("skipscan destroy --env prod"),
)
@yes_option
@environment_options
def destroy(*, env: str, region: str | None, profile: str | None, yes: bool) -> None:
    """Remove the stack of an environment that `skipscan deploy` made.

    Says what stays (the bucket of the results, the bucket of the code) and asks. A run that is under way ends.
    """
    check_environment(env)
    asking = talk(yes=yes)
    destroy_stack(Place.of(boto3.Session(region_name=region, profile_name=profile), env), asking, time.sleep)
