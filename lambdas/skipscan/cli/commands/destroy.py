"""`skipscan destroy`: remove the stack of an environment."""

import time

from skipscan.cli.at import At
from skipscan.cli.commands.deploy import environment_options, talk, verbose_option, yes_option
from skipscan.cli.options import examples, grouped_command


@grouped_command(
    epilog=examples("skipscan destroy --env prod"),
)
@yes_option
@verbose_option
@environment_options
def destroy_command(*, at: At, yes: bool, verbose: bool) -> None:
    """Remove the stack of an environment that `skipscan deploy` made.

    Says what stays (the bucket of the results, the bucket of the code) and asks. A run that is under way ends.
    """
    from skipscan.cli.stack.deploying import destroy_stack
    from skipscan.cli.stack.place import StackPlace

    destroy_stack(StackPlace.of(at.session(), at.env), talk(yes=yes, verbose=verbose), time.sleep)
