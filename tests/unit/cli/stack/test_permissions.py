"""The policy of `skipscan deploy --permissions` allows the calls that the commands make, and no other."""

import json
from typing import Any

import pytest

from skipscan.cli.stack.deploy_options import DeployOptions
from skipscan.cli.stack.permissions import permissions
from skipscan.errors import InputError, SkipscanError
from tests.fakes.iam.policy import Grant, Need, grants_in, is_allowed
from tests.refusal import refused
from tests.unit.cli.stack.conftest import Account
from tests.unit.cli.stack.fakes import ACCOUNT, REGION, STACK

LONGEST_POLICY = 6144
"""Characters of a managed policy, without white space (IAM user guide, "IAM and AWS STS quotas")."""
S3 = {
    "HeadBucket": "ListBucket",
    "HeadObject": "GetObject",
    "GetPublicAccessBlock": "GetBucketPublicAccessBlock",
    "PutPublicAccessBlock": "PutBucketPublicAccessBlock",
}
"""The permissions of other names than their calls (service authorization reference, Amazon S3)."""


def printed(account: Account, role: str | None = None, **options: Any) -> dict[str, Any]:
    return permissions(account.packaged, account.place, role, None, DeployOptions(**options))


def needs(account: Account) -> set[Need]:
    """Return what the recorded calls take. CloudFormation reads the template, and Lambda the zip, as their caller."""
    found = {Need(f"cloudformation:{name}", STACK) for name, _ in account.cloudformation.calls}
    for name, asked in account.s3.calls:
        key = f"/{asked['Key']}" if "Key" in asked else ""
        found.add(Need(f"s3:{S3.get(name, name)}", f"arn:aws:s3:::{asked['Bucket']}{key}"))
    for name, asked in account.dynamodb.calls:
        found.add(Need(f"dynamodb:{name}", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{asked['TableName']}"))
    return found


def everything(account: Account) -> set[Need]:
    """Return what deploying, a no, and removing take together."""
    account.deploy("Orders")
    account.person.noes = ("Apply",)
    with pytest.raises(SkipscanError):
        account.deploy("Customers")
    account.person.noes = ()
    account.destroy()
    return needs(account)


def test_it_allows_every_call_and_nothing_beside_them_and_the_stack(account: Account) -> None:
    role = "arn:aws:iam::111111111111:role/deployer"
    passing = Need("iam:PassRole", role, (("iam:PassedToService", "cloudformation.amazonaws.com"),))
    needed, granted = everything(account) | {passing}, set(grants_in(printed(account, role)))
    assert [need for need in needed if not is_allowed(need, granted)] == []
    assert [grant for grant in granted if without(granted, grant, needed)] == []


def without(granted: set[Grant], grant: Grant, needed: set[Need]) -> bool:
    """Tell whether all calls are allowed without a grant."""
    return all(is_allowed(need, granted - {grant}) for need in needed)


BOUNDARY = "arn:aws:iam::111111111111:policy/team/boundary"


def test_with_a_boundary_no_role_loses_it_and_the_rest_is_as_without(account: Account) -> None:
    document = printed(account, permissions_boundary="boundary")
    plain, bound = ({grant.action for grant in grants_in(each)} for each in (printed(account), document))
    assert plain - bound == {"iam:DeleteRolePermissionsBoundary"}
    assert bound <= plain
    assert len(json.dumps(document, separators=(",", ":"))) < LONGEST_POLICY
    names = [each["Sid"] for each in document["Statement"]]
    assert len(set(names)) == len(names)


def test_a_boundary_that_its_holder_could_change_is_refused(account: Account) -> None:
    with refused(InputError, "--permissions-boundary", "skipscan-boundary", rule="begin with skipscan-"):
        printed(account, permissions_boundary="skipscan-boundary")


@pytest.mark.parametrize(
    ("option", "value"), [("role_path", "team"), ("role_path", "/team"), ("permissions_boundary", BOUNDARY)]
)
def test_an_option_that_deploy_refuses_is_in_no_policy(account: Account, option: str, value: str) -> None:
    wanted: dict[str, Any] = {option: value}
    with refused(InputError, f"--{option.replace('_', '-')}", value, rule="must be"):
        printed(account, **wanted)
