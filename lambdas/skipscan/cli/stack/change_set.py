"""Change sets: what CloudFormation would change in a stack."""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.cli.stack.place import PLANNED, Prompter, StackPlace, code, find_stack
from skipscan.errors import SkipscanError
from skipscan.inputs.quantities import money

CAPABILITY = "CAPABILITY_IAM"
"""CloudFormation requires this capability, because the template creates IAM roles."""
POLL_SECONDS = 2.0
LOOKS = 300
"""Ten minutes; a change set of some forty resources takes seconds."""
NO_CHANGES = ("didn't contain changes", "No updates are to be performed")


def named_kind(kind: str) -> str:
    """Return a resource's type for people: Lambda Function, of AWS::Lambda::Function."""
    return " ".join(kind.split("::")[1:])


IDLE = {"AWS::CloudWatch::Alarm": 0.10, "AWS::CloudWatch::Dashboard": 3.00, "AWS::KMS::Key": 1.00}
"""Dollars a month of a resource that is not used (https://aws.amazon.com/cloudwatch/pricing/ and .../kms/pricing/ for
us-east-1, without free tiers). Functions, state machines, roles, schedules and empty buckets and logs cost nothing."""


def change_line(change: Mapping[str, Any]) -> str:
    """Return a resource's change in words."""
    anew = {"True": "  (replaced)", "Conditional": "  (may be replaced)"}.get(change.get("Replacement", ""), "")
    return f"{change['Action']:<8}{change['ResourceType']:<34}{change['LogicalResourceId']}{anew}"


@dataclass
class ChangeSet:
    """A change set with a unique name. At the end of its context it is removed, unless CloudFormation executes it.

    `is_new`: nothing is deployed under the stack's name. `made_stack`: nor is another change set waiting for it, so the
    empty stack exists only for this one. `stack`: the stack's ARN. `changes`: of resources, as CloudFormation describes
    them (API reference, "ResourceChange").
    """

    place: StackPlace
    talk: Prompter
    is_new: bool
    made_stack: bool
    name: str = field(default_factory=lambda: f"skipscan-{secrets.token_hex(8)}")
    stack: str = ""
    changes: tuple[Mapping[str, Any], ...] = ()
    _is_left: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the change set, and the empty stack that was created for it; say how, where that is not possible."""
        if not self._is_left:
            return
        stack = self.place.stack
        try:
            # Refused with InvalidChangeSetStatus while CloudFormation computes or executes it:
            # https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteChangeSet.html
            self.place.cloudformation.delete_change_set(**self._named)
            # Meanwhile another change set may have been executed, and the stack is no longer empty.
            if self.made_stack and (found := find_stack(self.place)) and found.status == PLANNED:
                self.place.cloudformation.delete_stack(StackName=found.arn)
        except (KeyboardInterrupt, BotoCoreError, ClientError) as failure:
            way = f"aws cloudformation delete-change-set --stack-name {stack} --change-set-name {self.name}"
            with suppress(OSError):  # a closed terminal interrupts the command, too
                self.talk.say(
                    f"Change set {self.name} of {stack} may remain, or CloudFormation may already carry it out; the "
                    "console shows which. To remove it: "
                    f"{f'skipscan destroy --env {self.place.environment}' if self.made_stack else way}"
                )
            if error is None or isinstance(failure, KeyboardInterrupt):
                raise

    def compute(self, sleep: Callable[[float], None], **request: Any) -> bool:
        """Return whether anything would change; raise `SkipscanError` for what CloudFormation refuses.

        `request`: more parameters of CreateChangeSet.
        """
        self._is_left = True
        try:
            self.place.cloudformation.create_change_set(
                **self._named,
                ChangeSetType="CREATE" if self.is_new else "UPDATE",
                Capabilities=[CAPABILITY],
                **request,
            )
        except ClientError as error:
            # The name is random. If it is taken, this request took it and its first answer was lost.
            self._is_left = code(error) == "AlreadyExistsException"
            if not self._is_left:
                raise
        pages = self._computed(sleep)
        described = pages[0]
        if described["Status"] == "FAILED":
            reason = described.get("StatusReason", "no reason")
            if any(text in reason for text in NO_CHANGES):
                return False
            raise SkipscanError(
                "CloudFormation",
                rule=f"cannot make these changes: {reason}",
                remedy="correct the options or the permissions that it names, and deploy again",
            )
        self.stack = described["StackId"]
        self.changes = tuple(entry["ResourceChange"] for page in pages for entry in page.get("Changes", []))
        return True

    def by_kind(self) -> list[str]:
        """Return a line for each kind of change, and one for each resource that is replaced."""
        counts = Counter((change["Action"], named_kind(change["ResourceType"])) for change in self.changes)
        lines = [f"{action:<8}{count:>3}  {kind}" for (action, kind), count in sorted(counts.items())]
        modified = (change for change in self.changes if change["Action"] != "Add")
        return lines + [change_line(change) for change in modified if change.get("Replacement", "False") != "False"]

    def idle(self) -> str:
        """Return the monthly cost of the added resources while nothing runs."""
        kinds = (change["ResourceType"] for change in self.changes if change["Action"] == "Add")
        added = Counter(kind for kind in kinds if kind in IDLE)
        dollars = sum(IDLE[kind] * count for kind, count in added.items())
        what = ", ".join(f"{count:,} {named_kind(kind)}" for kind, count in sorted(added.items()))
        costs = f"about {money(dollars)} a month ({what})" if added else "nothing"
        return f"While nothing runs it costs {costs}, and results what S3 asks for their bytes"

    def execute(self) -> None:
        """Execute the change set. The token makes a repeat harmless, if the first answer was lost."""
        self.place.cloudformation.execute_change_set(**self._named, ClientRequestToken=self.name)
        self._is_left = False

    def _computed(self, sleep: Callable[[float], None]) -> list[dict[str, Any]]:
        """Return the pages of the change set, once CloudFormation has computed it."""
        # Not boto3's waiter, which makes a WaiterError of a denial and of the reason of a failure.
        for _ in range(LOOKS):
            pages = list(self.place.cloudformation.get_paginator("describe_change_set").paginate(**self._named))
            if pages[0]["Status"] in {"CREATE_COMPLETE", "FAILED"}:
                return pages
            sleep(POLL_SECONDS)
        raise SkipscanError(
            "CloudFormation",
            rule=f"did not compute the changes of {self.place.stack} within ten minutes",
            remedy="try again",
        )

    @property
    def _named(self) -> dict[str, str]:
        """What names the change set in every call: also by the stack, because the permissions are for the stack."""
        return {"StackName": self.place.stack, "ChangeSetName": self.name}
