"""The bucket of results: what is protected, for how long, and under which of all names that users may choose."""

import re
from collections import Counter
from collections.abc import Iterable
from fnmatch import translate
from itertools import product

import pytest

from skipscan.environment import KINDS
from skipscan.loop.layout import Layout
from skipscan.pace.bill import Amounts
from tests.engines.infra.template import Template
from tests.fakes.iam.policy import listed

pytestmark = pytest.mark.xdist_group("synth")


def test_nothing_in_the_bucket_is_public(plain: Template) -> None:
    assert plain.the("AWS::S3::Bucket")["PublicAccessBlockConfiguration"] == {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    }


def test_objects_are_encrypted_with_the_customers_key_where_there_is_one(full: Template) -> None:
    [rule] = full.the("AWS::S3::Bucket")["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    key = "arn:aws:kms:eu-central-1:222222222222:key/a0000000-0000-4000-8000-000000000000"
    assert rule == {
        "BucketKeyEnabled": True,
        "ServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key},
    }


def test_the_bucket_is_reached_by_no_older_tls(plain: Template) -> None:
    """That it is reached by TLS alone, is a rule of cdk-nag: test_rules.py."""
    [old] = [
        each for each in plain.statements("s3:*", "AWS::S3::BucketPolicy") if "NumericLessThan" in each["Condition"]
    ]
    assert (old["Effect"], old["Principal"]) == ("Deny", {"AWS": "*"})
    assert list(map(plain.text, old["Resource"])) == ["the bucket", "the bucket/*"]
    assert old["Condition"] == {"NumericLessThan": {"s3:TlsVersion": 1.2}}


def test_only_checkpoints_and_unfinished_uploads_expire_and_results_where_an_environment_says_when(
    plain: Template, watched: Template
) -> None:
    tagged = {"TagFilters": [{"Key": "skipscan", "Value": "checkpoint"}], "ExpirationInDays": 90}
    checkpoints = {"Id": "checkpoints", "Status": "Enabled", **tagged}
    uploads = {"Id": "uploads", "Status": "Enabled", "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1}}
    results = {"Id": "results", "Status": "Enabled", "Prefix": "skipscan/", "ExpirationInDays": 45}
    for template, expected in ((plain, [checkpoints, uploads]), (watched, [checkpoints, results, uploads])):
        rules = template.the("AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"]
        assert sorted(rules, key=lambda rule: str(rule["Id"])) == expected


def test_results_outlive_the_stack_where_they_are_to_be_kept(watched: Template, full: Template) -> None:
    policies = [
        (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"])
        for template in (full, watched)
        for bucket in template.raw("AWS::S3::Bucket")
    ]
    assert policies == [("RetainExceptOnCreate", "Retain"), ("Delete", "Delete")]


FOLDERS = (
    *("keys", "failed", "checkpoints", "allotments", "errors", "diff", "finished"),
    *(kind.folder for kind in KINDS.values()),
)
OBJECTS = ("plan.json", "manifest.json", "unfinished.json", "diff.json")
NAMES = (*FOLDERS, *OBJECTS, "worker-0000", "part-00000.jsonl", "by-day", "skipscan")
LAYOUTS = [
    Layout("skipscan", table, kind.folder, name, kind.lines)
    for (table, kind, name) in product(FOLDERS, KINDS.values(), NAMES)
]


def once(layout: Layout) -> list[str]:
    """Return the objects that are written once and cannot be overwritten."""
    always = [layout.plan, layout.manifest, layout.part(0, 0), layout.checkpoint(0, 0, "a")]
    of_runs = [layout.diff, layout.diff_part("new", 0), layout.profile, layout.given_keys("0" * 32, 0)]
    return [*always, *(of_runs if layout.folder == "runs" else ())]


def anew(layout: Layout) -> list[str]:
    """Return what may be put again."""
    entries = [layout.entry(scope, "2026-01-01T00:00:00+00:00") for scope in ("table", *FOLDERS)]
    return [
        layout.unfinished,
        layout.allotment(0, 0, "a", Amounts()),
        layout.error(0),
        *(entries if layout.folder == "runs" else ()),
    ]


def matching(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of all names that these of IAM match. A star crosses slashes; none is tried twice."""
    return re.compile("|".join(map(translate, patterns)))


def test_no_name_that_a_user_chooses_makes_two_objects_one() -> None:
    names = Counter(name for layout in LAYOUTS for name in (*once(layout), *anew(layout)))
    assert [name for name, times in names.items() if times > 1] == []


def test_whatever_a_user_chooses_what_is_put_once_is_never_overwritten_and_nothing_else_is_denied(
    plain: Template,
) -> None:
    """The bucket would refuse what may be put again after a job had written its items."""
    [statement] = plain.statements("s3:PutObject", "AWS::S3::BucketPolicy")
    assert (statement["Effect"], statement["Principal"]) == ("Deny", {"AWS": "*"})
    assert statement["Condition"] == {"Null": {"s3:if-none-match": "true"}}
    denied = matching(plain.text(resource).removeprefix("the bucket/") for resource in statement["Resource"])
    assert [name for layout in LAYOUTS for name in anew(layout) if denied.fullmatch(name)] == []
    assert [name for layout in LAYOUTS for name in once(layout) if not denied.fullmatch(name)] == []


def test_no_role_reaches_into_the_folder_of_another_kind(full: Template, company: Template) -> None:
    """Statements name a kind's folder between stars; the same names one level lower must not match them."""
    written = written_by(full) | written_by(company)
    by_folder = {kind.folder: {each for each in written if f"/{kind.folder}/" in each} for kind in KINDS.values()}
    assert all(by_folder.values())
    for folder, resources in by_folder.items():
        pattern = matching(resources)
        others = [layout for layout in LAYOUTS if layout.folder != folder]
        assert [name for each in others for name in (*once(each), *anew(each)) if pattern.fullmatch(name)] == []


def written_by(template: Template) -> set[str]:
    """Return the resources that roles may put objects to, below the folder of a kind."""
    statements = template.statements("s3:PutObject", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy")
    resources = {template.text(each) for statement in statements for each in listed(statement["Resource"])}
    below = {resource.removeprefix("the bucket/") for resource in resources}
    return {each for each in below if any(f"/{kind.folder}/" in each for kind in KINDS.values())}
