"""What belongs to an account and region, and what a denied request says."""

from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.cli.stack.place import DENIED, GLOBAL_ONLY, StackPlace
from skipscan.errors import DeniedError
from tests.refusal import refused

NOBODY: Any = None
PLACE = StackPlace("dev", "111111111111", "aws", "eu-west-1", NOBODY, NOBODY, NOBODY)


def refusal(code: str, message: str = "") -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, "CreateStack")


def test_the_code_s_bucket_has_the_ending_that_no_other_account_can_have() -> None:
    assert PLACE.code_bucket == "skipscan-code-111111111111-eu-west-1-an"
    assert {replace(PLACE, region=region).code_bucket for region in GLOBAL_ONLY} == {
        f"skipscan-code-111111111111-{region}" for region in GLOBAL_ONLY
    }


@pytest.mark.parametrize("code", sorted(DENIED))
@pytest.mark.parametrize(("message", "said"), [("no way", "no way"), ("", "AWS gives no")])
def test_a_denied_request_says_how_to_get_the_policy(code: str, message: str, said: str) -> None:
    way = "`skipscan deploy --env dev --permissions`"
    with refused(DeniedError, "CreateStack", rule=f": {said}", way=way), PLACE.permitted():
        raise refusal(code, message)
