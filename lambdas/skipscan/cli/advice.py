"""Errors in the words of the command line: options in place of input fields, and what to do about AWS's refusals.

A refusal depends on this machine: a missing permission, expired credentials.
"""

import os
import re
import sys
from collections.abc import Collection
from functools import partial
from typing import Any

from skipscan.cli.commands import JOBS
from skipscan.errors import Mention, Use, rendered
from skipscan.inputs.fields import RESUMED, member_of_take

DENIED = re.compile(
    r"is not authorized to perform|(?:AWS refused \w+|failed) with (?:AccessDenied|UnauthorizedOperation|403)"
)
EXPIRED = re.compile(r"ExpiredToken|RequestExpired|SSO [Tt]oken|SSO session|Token has expired|MFA token required")
"""The codes of services, and the words of botocore's errors about its cached tokens."""

POLICIES = {
    **dict.fromkeys(("plan", "keys", "profile"), "policy command-line"),
    **dict.fromkeys(JOBS, "policy jobs"),
    **dict.fromkeys(("deploy", "destroy"), "deploy --env ENV --permissions"),
}


def advised(message: str, command: str | None) -> str:
    """Return a message with the way out, if it is about a permission or about expired credentials."""
    if EXPIRED.search(message):
        return f"{message.removesuffix('.')}: {_sign_in()}"
    if DENIED.search(message):
        env = _given("--env") or os.environ.get("SKIPSCAN_ENV") or "ENV"
        prints = POLICIES.get(command or "", "policy run").replace("ENV", env)
        return f"{message.removesuffix('.')}; `skipscan {prints}` prints a policy that allows this command"
    return message


def _sign_in() -> str:
    name = _given("--profile") or os.environ.get("AWS_PROFILE") or os.environ.get("AWS_DEFAULT_PROFILE") or "default"
    profiles = _aws_profiles()
    found, seen = profiles.get(name, {}), {name}
    # botocore refuses a circle only where it uses the profile, and not with credentials from variables.
    while (above := found.get("source_profile", name)) not in seen:
        name, found = above, profiles.get(above, {})
        seen.add(name)
    if "sso_session" in found or "sso_start_url" in found:
        return f"the credentials have expired; sign in again with `aws sso login --profile {name}`"
    return "the credentials have expired; get new ones where you got these, or name a profile with --profile"


def _given(option: str) -> str:
    """Return the value of an option on this command line; empty without one."""
    for word, following in zip(sys.argv, [*sys.argv[1:], ""], strict=True):
        if word == option:
            return following
        if word.startswith(f"{option}="):
            return word.removeprefix(f"{option}=")
    return ""


def _aws_profiles() -> dict[str, Any]:
    from botocore.exceptions import BotoCoreError  # noqa: PLC0415 (takes longer than all that needs no AWS)
    from botocore.session import Session  # noqa: PLC0415 (as above)

    try:
        found: dict[str, Any] = Session().full_config.get("profiles", {})
    except BotoCoreError:  # an AWS_PROFILE that does not exist
        return {}
    return found


OTHER_OPTIONS = {
    "verify": "--no-verify",
    "take": "--first/--last/--items/--count",
    "profile": "skipscan profile",  # --profile is that of the AWS configuration
}
"""The options of fields that have another name on the command line, or are a command."""


def option_name(field: str) -> str:
    """Return the name of the option that sets an input field."""
    field = member_of_take(field)
    return OTHER_OPTIONS.get(field) or f"--{field.replace('_', '-')}"


def as_options(text: str, options: Collection[str]) -> str:
    """Return a text in words, with options in place of the fields that it mentions.

    `options`: of the commands that the text can be about; other fields keep their names. A field that the text tells to
    give becomes an option in any case, and work to resume the command that does so.
    """
    return rendered(text, partial(_with_options, options))


def _with_options(options: Collection[str], mention: Mention) -> str:
    if mention.use is Use.GIVE:
        option = option_name(mention.fields[0])
        value = mention.value.strip('"')
        if mention.fields == (RESUMED,):
            return f"`skipscan resume TABLE {value}`"
        return option if value == "true" else f"{option} {value}"
    named = {field: option_name(field) for field in mention.fields if "/" not in field}  # no path
    known = {field: option for field, option in named.items() if option.partition("/")[0] in options}
    names = tuple(known.get(field, field) for field in mention.fields)
    if not known:
        return str(mention)
    if mention.use is Use.IS and mention.value in {"true", "false"}:
        return f"{names[0]} is given"
    if mention.use is Use.LEAVE:
        return f"leave out {' or '.join(names)}"
    return str(Mention(names, mention.use, mention.value))
