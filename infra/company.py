"""Company-wide settings of every deployment: permissions boundary, role path, tags, VPC.

They come from the environments of cdk.json, or from parameters of the packaged template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from skipscan.inputs.names import TAG_NAME, TAG_VALUE

from .section import Section, if_given, inside, text, texts

BOUNDARY = r"arn:aws[a-z-]*:iam::(?:aws|([0-9]{12})):policy/[A-Za-z0-9+=,.@_/-]{1,512}"
ROLE_PATH = r"/([!-~]{1,510}/)?"


def boundary_account(boundary: object) -> str | None:
    """Return the account of a permissions boundary; `None` for a policy of AWS, which every account has."""
    found = re.fullmatch(BOUNDARY, boundary) if isinstance(boundary, str) else None
    return found[1] if found else None


def _tags(section: Section) -> Mapping[str, str]:
    lowered: dict[str, str] = {}
    for name in section.values:
        if (earlier := lowered.setdefault(name.lower(), name)) != name:
            raise section.mistake(name, f"IAM does not distinguish it from {earlier}: remove one")
    for name in section.values:
        if not TAG_NAME.fullmatch(name):
            raise section.mistake(name, "a tag's key has 1 to 128 letters, digits and _.:/=+@-, and no aws: rename it")
    rule = "a tag's value must be a text of up to 256 letters, digits, spaces and _.:/=+@-: correct it"
    return {name: section.text(name, TAG_VALUE.pattern, rule) for name in section.values}


def _ids(prefix: str) -> Callable[[Section, str], tuple[str, ...]]:
    """Return the reader of a list of ids. How many a function takes, the CDK's check of the template knows."""
    rule = f'it must be a list of ids, like ["{prefix}-0123456789abcdef0"]: correct it'
    return texts(f"{prefix}-[0-9a-f]{{8,17}}", rule, rule)


VPC = {"subnets": _ids("subnet"), "security_groups": _ids("sg")}

COMPANY: Mapping[str, Callable[[Section, str], object]] = {
    "permissions_boundary": if_given(
        text(
            BOUNDARY,
            "it must be the ARN of an IAM policy (arn:aws:iam::ACCOUNT:policy/NAME): correct it or leave it out",
        )
    ),
    "role_path": if_given(text(ROLE_PATH, 'it must be a path of IAM, like "/team/": correct it or leave it out')),
    "tags": inside(_tags),
    "vpc": if_given(inside(lambda section: section.read_all(VPC))),
}
"""The fields of `Company` in an environment of cdk.json."""
