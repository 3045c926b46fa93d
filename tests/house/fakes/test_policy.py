"""The evaluation itself: a test that judges policies must refuse what IAM refuses."""

import pytest

from tests.fakes.iam.policy import Need, grants_in, is_allowed

pytestmark = pytest.mark.engine

DOCUMENT = {
    "Statement": [
        {"Effect": "Allow", "Action": ["s3:GetObject", "s3:Put*"], "Resource": "bucket/a/*"},
        {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "bucket", "Condition": {"StringLike": {"p": "a/*"}}},
        {
            "Effect": "Deny",
            "Action": "s3:PutObject",
            "Resource": "bucket/a/fixed-?",
            "Condition": {"Null": {"s3:if-none-match": "true"}},
        },
    ]
}
CAREFUL = (("s3:if-none-match", "*"),)


@pytest.mark.parametrize(
    ("need", "allowed"),
    [
        (Need("s3:GetObject", "bucket/a/b/c"), True),
        (Need("s3:GetObject", "bucket/b"), False),
        (Need("s3:GetObject", "bucket/a"), False),
        (Need("s3:DeleteObject", "bucket/a/b"), False),
        (Need("s3:PutObject", "bucket/a/free"), True),
        (Need("s3:PutObject", "bucket/a/fixed-1"), False),
        (Need("s3:PutObject", "bucket/a/fixed-1", CAREFUL), True),
        (Need("s3:PutObject", "bucket/a/fixed-10"), True),
        (Need("s3:ListBucket", "bucket"), False),
        (Need("s3:ListBucket", "bucket", (("p", "a/b"),)), True),
        (Need("s3:ListBucket", "bucket", (("p", "b/a"),)), False),
    ],
)
def test_allows_what_a_statement_allows_and_none_denies(need: Need, allowed: bool) -> None:
    assert is_allowed(need, list(grants_in(DOCUMENT))) is allowed


def test_an_operator_it_does_not_know_is_an_error() -> None:
    statement = {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"IpAddress": {"aws:SourceIp": "1"}}}
    with pytest.raises(NotImplementedError):
        is_allowed(Need("s3:GetObject", "x"), list(grants_in({"Statement": [statement]})))
