"""Removes a stack, and says what stays."""

from collections.abc import Callable

from skipscan.cli.stack.events import Events
from skipscan.cli.stack.found import PLANNED, ExistingStack, existing
from skipscan.cli.stack.place import StackPlace
from skipscan.cli.stack.talk import Prompter
from skipscan.errors import InputError, SkipscanError


def destroy_stack(place: StackPlace, talk: Prompter, sleep: Callable[[float], None]) -> None:
    """Ask, then remove an environment's stack; raise `SkipscanError` for an obstacle or the answer no."""
    with place.permitted():
        found = existing(place)
        if found.status != PLANNED:
            found.check_whose(place)
            found.check_idle(place)
        if found.is_protected:
            raise InputError(
                f"stack {place.stack} is protected from removal: aws cloudformation update-termination-protection "
                f"--no-enable-termination-protection --stack-name {place.stack}"
            )
        stays = _stays(place, found)
        talk.say(
            f"Stack {place.stack} in account {place.account}, {place.region} will be removed. Running work will stop."
        )
        talk.say("What stays:")
        for line in stays:
            talk.say(f"  {line}")
        talk.demand(f"Remove {place.stack}?", otherwise="nothing was removed")
        remove(place, found, talk, sleep)
        talk.say(f"{place.stack} is gone")


def remove(place: StackPlace, found: ExistingStack, talk: Prompter, sleep: Callable[[float], None]) -> None:
    """Remove a stack and follow its events to the end; raise `SkipscanError` if a resource cannot be removed."""
    events = Events(place, found.arn, talk, sleep)
    place.cloudformation.delete_stack(StackName=found.arn)
    status = events.follow()
    if status != "DELETE_COMPLETE":
        why = events.reasons[0] if events.reasons else "Its events in the console show why"
        raise SkipscanError(f"{place.stack} is {status}. {why}. Correct that and run skipscan destroy again")


def _stays(place: StackPlace, found: ExistingStack) -> list[str]:
    lines = [f"bucket {place.code_bucket}, if it was made for code: other environments may use it"]
    if bucket := found.outputs.get("BucketName"):
        lines.insert(0, f"bucket {bucket} with all results; to remove them as well: aws s3 rb --force s3://{bucket}")
    return lines
