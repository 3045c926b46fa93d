"""The events of a stack, printed while CloudFormation works on it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.cli.stack.change_set import named_kind
from skipscan.cli.stack.place import Prompter, StackPlace
from skipscan.errors import SkipscanError
from skipscan.inputs.quantities import stamp

EVENT_SECONDS = 3.0
CANCELLED = "cancelled"
"""The reason of a resource that failed only because another resource did."""


@dataclass
class Events:
    """The events of a stack from now on. `arn`: of the stack, because a removed stack has no name.

    `resources`: how many CloudFormation works on, if known.
    """

    place: StackPlace
    arn: str
    talk: Prompter
    sleep: Callable[[float], None]
    resources: int | None = None
    reasons: list[str] = field(default_factory=list)
    """Why resources failed, the first failure first."""
    _seen: set[str] = field(default_factory=set)
    _done: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        newest = self.place.cloudformation.describe_stack_events(StackName=self.arn)
        self._seen = {event["EventId"] for event in newest["StackEvents"]}

    def follow(self) -> str:
        """Emit a line for each event until CloudFormation has finished with the stack; return the stack's status."""
        while True:
            self.sleep(EVENT_SECONDS)
            try:
                events = list(self._new())
            except (BotoCoreError, ClientError) as error:  # of the last of ten attempts, which take most of a minute
                raise SkipscanError(
                    f"the events of stack {self.place.stack}",
                    rule=f"can no longer be read ({error}); CloudFormation continues",
                    remedy="look at the stack in the console",
                ) from None
            self._seen |= {event["EventId"] for event in events}
            for event in reversed(events):
                self._tell(event)
                if event["PhysicalResourceId"] == self.arn and not event["ResourceStatus"].endswith("_IN_PROGRESS"):
                    self.talk.live("")
                    return str(event["ResourceStatus"])

    def _tell(self, event: dict[str, Any]) -> None:
        """Show an event as a line with --verbose, or if it is a failure or the end; else in one line that changes."""
        line, status, name = self._line(event), event["ResourceStatus"], event["LogicalResourceId"]
        is_stack = event["PhysicalResourceId"] == self.arn
        is_end = is_stack and not status.endswith("_IN_PROGRESS")
        if self.talk.is_verbose or is_end or status.endswith("_FAILED"):
            self.talk.say(line)
        elif not is_stack:
            self._done |= {name} if status.endswith("_COMPLETE") else set()
            of = "" if self.resources is None else f" of {self.resources:,}"
            self.talk.live(f"{len(self._done):,}{of} resources  {status}  {named_kind(event['ResourceType'])} {name}")

    def _line(self, event: dict[str, Any]) -> str:
        status, reason = event["ResourceStatus"], event.get("ResourceStatusReason", "")
        if status.endswith("_FAILED") and CANCELLED not in reason:
            self.reasons.append(f"{event['LogicalResourceId']} ({event['ResourceType']}): {reason}")
        time = stamp(event["Timestamp"].astimezone(UTC).isoformat())
        said = f"{time}  {status:<28}{event['ResourceType']:<34}{event['LogicalResourceId']}"
        return f"{said}  {reason}" if reason and status.endswith("_FAILED") else said

    def _new(self) -> Iterator[dict[str, Any]]:
        """Yield the new events, newest first."""
        for page in self.place.cloudformation.get_paginator("describe_stack_events").paginate(StackName=self.arn):
            for event in page["StackEvents"]:
                if event["EventId"] in self._seen:
                    return
                yield event
