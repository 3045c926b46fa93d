"""The steps of `skipscan deploy`: check, ask, upload, show the changes, ask, carry them out, follow.

And of `skipscan destroy`: look, say what stays, ask, remove, follow.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from skipscan.cli.stack.change_set import CAPABILITY, ChangeSet, change_line
from skipscan.cli.stack.code_bucket import CodeBucket
from skipscan.cli.stack.deploy_options import DeployOptions, moved
from skipscan.cli.stack.events import Events
from skipscan.cli.stack.permissions import Packaged
from skipscan.cli.stack.place import (
    BY,
    MARK,
    PLANNED,
    READY,
    STILLBORN,
    ExistingStack,
    Prompter,
    StackPlace,
    code,
    existing,
    find_stack,
)
from skipscan.errors import InputError, SkipscanError
from skipscan.inputs.quantities import counted

NO_REASON = "Its events in the console show why"


def destroy_stack(place: StackPlace, talk: Prompter, sleep: Callable[[float], None]) -> None:
    """Ask, then remove an environment's stack; raise `SkipscanError` for an obstacle or the answer no."""
    found = existing(place)
    found.check_changeable(place)
    if found.is_protected:
        raise InputError(
            f"stack {place.stack}",
            rule="is protected from removal",
            remedy="aws cloudformation update-termination-protection --no-enable-termination-protection "
            f"--stack-name {place.stack}",
        )
    talk.say(f"Stack {place.stack} in account {place.account}, {place.region} will be removed. Running work will stop.")
    talk.say("What stays:")
    if bucket := found.outputs.get("BucketName"):
        talk.say(f"  bucket {bucket} with all results; to remove them as well: aws s3 rb --force s3://{bucket}")
    talk.say(f"  bucket {place.code_bucket}, if it was made for code: other environments may use it")
    talk.demand(f"Remove {place.stack}?", otherwise="nothing was removed")
    remove(place, found, talk, sleep)
    talk.say(f"{place.stack} is gone")


def remove(place: StackPlace, found: ExistingStack, talk: Prompter, sleep: Callable[[float], None]) -> None:
    """Remove a stack and follow its events to the end; raise `SkipscanError` if a resource cannot be removed."""
    events = Events(place, found.arn, talk, sleep)
    place.cloudformation.delete_stack(StackName=found.arn)
    status = events.follow()
    if status != "DELETE_COMPLETE":
        why = events.reasons[0] if events.reasons else NO_REASON
        raise SkipscanError(
            f"stack {place.stack}",
            rule=f"is {status}. {why}",
            remedy=f"correct that, and run `skipscan destroy --env {place.environment}` again",
        )


@dataclass(frozen=True)
class Deploying:
    """`code_bucket`: an existing bucket to use; `None`: that of the deployment, or the bucket that this creates.

    `role`: the role of CloudFormation. `dry_run`: show the changes and make none.
    """

    place: StackPlace
    packaged: Packaged
    talk: Prompter
    sleep: Callable[[float], None]
    code_bucket: str | None
    role: str | None = None
    dry_run: bool = False

    def deploy(self, options: DeployOptions, tags: Mapping[str, str]) -> ExistingStack | None:
        """Return the deployed stack; raise `SkipscanError` for an obstacle or the answer no. `None` for a dry run."""
        before = self._look()
        deployed = before.parameters if before and before.status in READY else None
        name = self.code_bucket or (deployed or {}).get("CodeBucket") or self.place.code_bucket
        bucket = CodeBucket(self.place, name, name == self.place.code_bucket, self.sleep)
        zipped = {"CodeBucket": bucket.name, "CodeKey": self.packaged.zip_name}
        parameters = options.parameters(self.place, self.packaged.declared, deployed, zipped)
        self._check_tables(options.names(self.place))
        there = before.outputs.get("Version", before.status) if before else "new"
        self.talk.say(
            f"Stack {self.place.stack} in account {self.place.account}, {self.place.region}: {there} -> Skipscan "
            f"{self.packaged.version}"
        )
        self.talk.say(
            f"Permissions: `skipscan deploy --env {self.place.environment} --permissions` prints the policy for this"
        )
        for line in moved(deployed, parameters):
            self.talk.say(f"  {line}")
        stillborn = before if before and before.status in STILLBORN else None
        if self.dry_run and (stillborn or not bucket.exists()):  # CloudFormation cannot compute the changes
            first = f"Bucket {name} for code and template would be created first"
            again = f"The stack is {stillborn.status}: it would be removed and created again" if stillborn else ""
            self.talk.say(f"{again or first}. Dry run: nothing was changed")
            return None
        if stillborn:
            self.talk.demand(
                f"{self.place.stack} is {stillborn.status}: no part of it works. Remove it and deploy again?",
                otherwise="nothing was changed",
            )
            remove(self.place, stillborn, self.talk, self.sleep)
            before = None
        url = self._upload(bucket)
        tags = {**(before.tags if before else {}), **tags, MARK: BY}
        with ChangeSet(self.place, self.talk, is_new=deployed is None, made_stack=before is None) as made:
            self._change(made, url, parameters, tags)
        return None if self.dry_run else existing(self.place)

    def _change(
        self, made: ChangeSet, url: str, parameters: Sequence[Mapping[str, Any]], tags: Mapping[str, str]
    ) -> None:
        """Show what CloudFormation would change, ask, and follow the changes to their end, unless this is a dry run."""
        has_changes = made.compute(
            self.sleep,
            TemplateURL=url,
            Parameters=parameters,
            Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
            **({"RoleARN": self.role} if self.role else {}),
        )
        if not has_changes:
            self.talk.say(f"{self.place.stack} is up to date.")
            return
        self._show(made)
        if self.dry_run:
            self.talk.say("Dry run: nothing was changed")
            return
        self.talk.demand(f"Apply these changes to {self.place.stack}?", otherwise="nothing was deployed")
        events = Events(self.place, made.stack, self.talk, self.sleep, len(made.changes))
        made.execute()
        self._follow(events)

    def _look(self) -> ExistingStack | None:
        """Return the existing stack; raise `InputError` for a stack that this command must not change."""
        before = find_stack(self.place)
        if before is None:
            return None
        before.check_changeable(self.place)
        if before.status not in READY | STILLBORN | {PLANNED}:
            raise InputError(
                f"stack {self.place.stack}",
                rule=f"is {before.status}",
                remedy=f"remove it first: skipscan destroy --env {self.place.environment}",
            )
        return before

    def _check_tables(self, names: Sequence[str]) -> None:
        """Raise `InputError` for a table that does not exist, because a stack for it would deploy and never read."""
        for name in names:
            try:
                self.place.dynamodb.describe_table(TableName=name)
            except ClientError as error:
                if code(error) != "ResourceNotFoundException":
                    raise
                raise InputError(
                    "--table",
                    name,
                    f"account {self.place.account} has no such table in {self.place.region}",
                    "correct it, or use another --region or --profile",
                ) from None

    def _upload(self, bucket: CodeBucket) -> str:
        """Put zip and template into the bucket, which is created if necessary; return the template's URL."""
        if not bucket.exists():
            if not bucket.is_own:
                raise InputError("--code-bucket", bucket.name, "there is no such bucket", "create it, or leave it out")
            self.talk.demand(
                f"Code and template go through a bucket. Create {bucket.name}, private and accessible only by TLS?",
                otherwise="nothing was made",
            )
            bucket.make()
        if not self.dry_run:
            if bucket.is_own:
                bucket.secure()
            bucket.upload(self.packaged.zip_name, self.packaged.zip)
        return bucket.upload(self.packaged.template_name, self.packaged.template)

    def _follow(self, events: Events) -> None:
        try:
            status = events.follow()
        except KeyboardInterrupt:
            with suppress(OSError):  # a closed terminal interrupts the command, too
                self.talk.say(f"CloudFormation continues to work on {self.place.stack}; the console shows its progress")
            raise
        if status in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}:
            return
        way = "correct that and deploy again; the earlier deployment is unchanged"
        if any("already exists" in reason for reason in events.reasons):
            way = "remove the resource that has this name, or use another environment"
        elif status in STILLBORN:
            way = "correct that and deploy again, which removes the failed stack first"
        why = events.reasons[0] if events.reasons else NO_REASON
        raise SkipscanError(f"stack {self.place.stack}", rule=f"is {status}. {why}", remedy=way)

    def _show(self, made: ChangeSet) -> None:
        is_verbose = self.talk.is_verbose
        self.talk.say(f"{counted(len(made.changes), 'change')}{'' if is_verbose else ' (--verbose names each)'}:")
        for line in map(change_line, made.changes) if is_verbose else made.by_kind():
            self.talk.say(f"  {line}")
        if made.is_new:
            self.talk.say(made.idle())
        roles = Counter(change["Action"] for change in made.changes if change["ResourceType"] == "AWS::IAM::Role")
        if roles:
            counts = ", ".join(f"{action} {count}" for action, count in sorted(roles.items()))
            self.talk.say(f"Capability {CAPABILITY}: IAM roles for its functions and state machine ({counts})")
