"""Change sets: what CloudFormation would change in a stack."""

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.cli.stack.place import PLANNED, Prompter, StackPlace, code, find_stack
from skipscan.errors import SkipscanError
from skipscan.inputs.quantities import money

CAPABILITY = "CAPABILITY_IAM"
"""CloudFormation requires this capability, because the template creates IAM roles."""
POLL_SECONDS = 2.0
LOOKS = 300
"""Ten minutes; a change set of some forty resources takes seconds."""
REMOVAL_LOOKS = 30
"""A minute: how long the removal of a change set waits until CloudFormation has computed it."""
NO_CHANGES = ("didn't contain changes", "No updates are to be performed")


def named_kind(kind: str) -> str:
    """Return a resource's type for people: Lambda Function, of AWS::Lambda::Function."""
    return " ".join(kind.split("::")[1:])


IDLE = {"AWS::CloudWatch::Alarm": 0.10, "AWS::CloudWatch::Dashboard": 3.00, "AWS::KMS::Key": 1.00}
"""Dollars a month of a resource that is not used (https://aws.amazon.com/cloudwatch/pricing/ and .../kms/pricing/ for
us-east-1, without free tiers). Functions, state machines, roles, schedules and empty buckets and logs cost nothing."""


@dataclass(frozen=True)
class PlannedChange:
    """`replacement`: whether CloudFormation replaces the resource: True, False or Conditional."""

    action: str
    kind: str
    name: str
    replacement: str

    @property
    def is_replaced(self) -> bool:
        return self.action != "Add" and self.replacement != "False"

    def __str__(self) -> str:
        anew = {"True": "  (replaced)", "Conditional": "  (may be replaced)"}.get(self.replacement, "")
        return f"{self.action:<8}{self.kind:<34}{self.name}{anew}"


@dataclass(frozen=True)
class ChangeSet:
    """`name`: unique. `stack`: the ARN of the stack. `made_stack`: the stack exists only for this change set.

    `is_new`: nothing is deployed yet.
    """

    place: StackPlace
    name: str
    stack: str
    made_stack: bool
    changes: tuple[PlannedChange, ...]
    is_new: bool

    def by_kind(self) -> list[str]:
        """Return a line for each kind of change, and one for each resource that is replaced."""
        counts = Counter((change.action, named_kind(change.kind)) for change in self.changes)
        lines = [f"{action:<8}{count:>3}  {kind}" for (action, kind), count in sorted(counts.items())]
        return lines + [str(change) for change in self.changes if change.is_replaced]

    def idle(self) -> str:
        """Return the monthly cost of the added resources while nothing runs."""
        added = Counter(change.kind for change in self.changes if change.action == "Add" and change.kind in IDLE)
        dollars = sum(IDLE[kind] * count for kind, count in added.items())
        what = ", ".join(f"{count:,} {named_kind(kind)}" for kind, count in sorted(added.items()))
        costs = f"about {money(dollars)} a month ({what})" if added else "nothing"
        return f"While nothing runs it costs {costs}, and results what S3 asks for their bytes"

    def execute(self) -> None:
        """Execute the change set; raise `SkipscanError` if it was not started, or another error if that is unknown."""
        try:
            self.place.cloudformation.execute_change_set(
                StackName=self.place.stack,
                ChangeSetName=self.name,
                ClientRequestToken=self.name,
            )
        except ClientError as error:
            # A repeated request is refused, too, if the first answer was lost: the change set is executed as requested.
            if self._is_waiting():
                raise SkipscanError(
                    "CloudFormation", rule=f"did not start the changes: {_message(error)}", remedy="try again"
                ) from None

    def discard(self, talk: Prompter, sleep: Callable[[float], None]) -> None:
        """Remove the change set, and the empty stack that was created for it; say how, where that is not possible."""
        _remove(self.place, self.name, talk, sleep, made_stack=self.made_stack, is_computed=True)

    def doubt(self) -> str:
        """Return what to say if nobody knows whether CloudFormation executes the change set."""
        return (
            f"CloudFormation may have begun to change {self.place.stack}; the console shows whether. If it has not, "
            f"change set {self.name} remains. To remove it: {_way(self.place, self.name, made_stack=self.made_stack)}"
        )

    def _is_waiting(self) -> bool:
        described = _described(self.place, self.name)
        return described["ExecutionStatus"] not in {"EXECUTE_IN_PROGRESS", "EXECUTE_COMPLETE"}


def make_change_set(
    place: StackPlace,
    *,
    is_new: bool,
    made_stack: bool,
    template_url: str,
    parameters: Sequence[Mapping[str, Any]],
    tags: Mapping[str, str],
    role: str | None,
    talk: Prompter,
    sleep: Callable[[float], None],
) -> ChangeSet | None:
    """Return what would change, `None` if nothing would; raise `SkipscanError` for what CloudFormation refuses.

    `is_new`: nothing is deployed under that name. `made_stack`: and there is no other change set for it.
    """
    name = f"skipscan-{secrets.token_hex(8)}"
    more = {"RoleARN": role} if role else {}
    try:
        _request(
            place,
            ChangeSetName=name,
            ChangeSetType="CREATE" if is_new else "UPDATE",
            TemplateURL=template_url,
            Parameters=parameters,
            Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
            Capabilities=[CAPABILITY],
            **more,
        )
        described = _finished(place, name, sleep)
        changes = tuple(_changes(place, described))
    except BaseException as error:  # most of them Ctrl-C
        is_refused = isinstance(error, ClientError) and error.operation_name == "CreateChangeSet"
        if not is_refused:
            _remove(place, name, talk, sleep, made_stack=made_stack, is_computed=False)
        raise
    if described["Status"] == "FAILED":
        reason = described.get("StatusReason", "no reason")
        _remove(place, name, talk, sleep, made_stack=made_stack, is_computed=True)
        if any(text in reason for text in NO_CHANGES):
            return None
        raise SkipscanError(
            "CloudFormation",
            rule=f"cannot make these changes: {reason}",
            remedy="correct the options or the permissions that it names, and deploy again",
        )
    return ChangeSet(place, name, described["StackId"], made_stack, changes, is_new)


def _request(place: StackPlace, **parameters: Any) -> None:
    try:
        place.cloudformation.create_change_set(StackName=place.stack, **parameters)
    except ClientError as error:
        # The name is random. If it is taken, this request took it and its first answer was lost.
        if code(error) != "AlreadyExistsException":
            raise


def _finished(place: StackPlace, name: str, sleep: Callable[[float], None], *, looks: int = LOOKS) -> dict[str, Any]:
    for _ in range(looks):
        described = _described(place, name)
        if described["Status"] in {"CREATE_COMPLETE", "FAILED"}:
            return described
        sleep(POLL_SECONDS)
    raise SkipscanError(
        "CloudFormation", rule=f"did not compute the changes of {place.stack} within ten minutes", remedy="try again"
    )


def _described(place: StackPlace, name: str, **more: str) -> dict[str, Any]:
    """Return a change set. As in every call, the stack is named, because the permissions are for the stack."""
    answer: dict[str, Any] = place.cloudformation.describe_change_set(StackName=place.stack, ChangeSetName=name, **more)
    return answer


def _changes(place: StackPlace, described: dict[str, Any]) -> Iterator[PlannedChange]:
    while True:
        for entry in described.get("Changes", []):
            change = entry["ResourceChange"]
            replacement = change.get("Replacement", "False")
            yield PlannedChange(change["Action"], change["ResourceType"], change["LogicalResourceId"], replacement)
        token = described.get("NextToken")
        if not token:
            return
        described = _described(place, described["ChangeSetName"], NextToken=token)


def _remove(
    place: StackPlace,
    name: str,
    talk: Prompter,
    sleep: Callable[[float], None],
    *,
    made_stack: bool,
    is_computed: bool,
) -> None:
    """Remove a change set, and the empty stack that was created for it; say how, where that is not possible now."""
    try:
        if not is_computed:
            with suppress(OSError):  # a closed terminal interrupts the command, too
                talk.say(f"Removing change set {name}, once CloudFormation has computed it. Ctrl-C leaves it")
            # Until then DeleteChangeSet is refused with InvalidChangeSetStatus:
            # https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteChangeSet.html
            _finished(place, name, sleep, looks=REMOVAL_LOOKS)
        place.cloudformation.delete_change_set(StackName=place.stack, ChangeSetName=name)
        # Meanwhile another change set may have been executed, and the stack is no longer empty.
        if made_stack and (found := find_stack(place)) and found.status == PLANNED:
            place.cloudformation.delete_stack(StackName=found.arn)
    except (KeyboardInterrupt, SkipscanError, BotoCoreError, ClientError) as error:
        way = _way(place, name, made_stack=made_stack)
        with suppress(OSError):
            talk.say(f"Change set {name} of {place.stack} may remain. To remove it: {way}")
        if isinstance(error, KeyboardInterrupt):
            raise


def _way(place: StackPlace, name: str, *, made_stack: bool) -> str:
    """Return the command that removes a change set, and the empty stack that was created for it."""
    if made_stack:
        return f"skipscan destroy --env {place.environment}"
    return f"aws cloudformation delete-change-set --stack-name {place.stack} --change-set-name {name}"


def _message(error: ClientError) -> str:
    return str(error.response["Error"].get("Message") or code(error))
