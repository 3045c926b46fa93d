import pytest

from tests.engines.infra.template import Template

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


def test_plans_parts_and_manifests_can_never_be_overwritten(plain: Template) -> None:
    [statement] = plain.statements("s3:PutObject", "AWS::S3::BucketPolicy")
    assert (statement["Effect"], statement["Principal"]) == ("Deny", {"AWS": "*"})
    assert statement["Condition"] == {"Null": {"s3:if-none-match": "true"}}
    assert sorted(map(plain.text, statement["Resource"])) == sorted(
        f"the bucket/skipscan/*/{folder}/*/{name}"
        for folder, parts in (("runs", "keys"), ("acts", "failed"), ("retrofits", "failed"), ("copies", "failed"))
        for name in (
            "plan.json",
            f"{parts}/*",
            "checkpoints/*",
            "manifest.json",
            *(("diff.json", "diff/*", "profile.json", "only/*") if folder == "runs" else ()),
        )
    )


def test_the_bucket_is_reached_by_no_older_tls(plain: Template) -> None:
    """That it is reached by TLS alone, is a rule of cdk-nag: test_rules.py."""
    [old] = [
        each for each in plain.statements("s3:*", "AWS::S3::BucketPolicy") if "NumericLessThan" in each["Condition"]
    ]
    assert (old["Effect"], old["Principal"]) == ("Deny", {"AWS": "*"})
    assert list(map(plain.text, old["Resource"])) == ["the bucket", "the bucket/*"]
    assert old["Condition"] == {"NumericLessThan": {"s3:TlsVersion": 1.2}}


def test_only_checkpoints_and_unfinished_uploads_expire(plain: Template) -> None:
    assert plain.the("AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"] == [
        {
            "Id": "checkpoints",
            "Status": "Enabled",
            "TagFilters": [{"Key": "skipscan", "Value": "checkpoint"}],
            "ExpirationInDays": 90,
        },
        {"Id": "uploads", "Status": "Enabled", "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1}},
    ]


def test_results_of_old_runs_expire_where_an_environment_says_when(watched: Template) -> None:
    rules = watched.the("AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"]
    assert [rule for rule in rules if rule["Id"] == "results"] == [
        {"Id": "results", "Status": "Enabled", "Prefix": "skipscan/", "ExpirationInDays": 45}
    ]


def test_results_outlive_the_stack_where_they_are_to_be_kept(plain: Template, full: Template) -> None:
    assert [bucket["DeletionPolicy"] for bucket in full.raw("AWS::S3::Bucket")] == ["RetainExceptOnCreate"]
    assert [bucket["UpdateReplacePolicy"] for bucket in full.raw("AWS::S3::Bucket")] == ["Retain"]
    assert [bucket["DeletionPolicy"] for bucket in plain.raw("AWS::S3::Bucket")] == ["Delete"]
