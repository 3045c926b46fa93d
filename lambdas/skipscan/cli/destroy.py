"""`skipscan destroy`: remove the stack of an environment that `skipscan deploy` made."""

import time

import boto3

from skipscan.cli.deploy import talk
from skipscan.cli.stack.destroying import destroy_stack
from skipscan.cli.stack.found import check_environment
from skipscan.cli.stack.place import StackPlace


def destroy(*, env: str, region: str | None, profile: str | None, yes: bool, verbose: bool) -> None:
    """Carry out `skipscan destroy`."""
    check_environment(env)
    asking = talk(yes=yes, verbose=verbose)
    destroy_stack(StackPlace.of(boto3.Session(region_name=region, profile_name=profile), env), asking, time.sleep)
