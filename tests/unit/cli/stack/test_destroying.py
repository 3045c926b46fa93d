"""`skipscan destroy` says what stays, asks, and removes nothing else."""

from skipscan.errors import InputError, NotFoundError, SkipscanError
from tests.refusal import failed, refused
from tests.unit.cli.stack.conftest import Account


def test_it_says_what_stays_asks_and_follows_the_end(account: Account) -> None:
    account.has("UPDATE_COMPLETE")
    account.destroy()
    said = "\n".join(account.person.said)
    assert "bucket the-results with all results" in said
    assert "bucket skipscan-code-111111111111-eu-west-1-an" in said
    assert account.person.questions == ["Remove skipscan-dev?"]
    assert account.person.said[-1] == "skipscan-dev is gone"
    assert account.cloudformation.stack is None
    assert account.s3.calls == []


def test_a_no_removes_nothing(account: Account) -> None:
    account.has("UPDATE_COMPLETE")
    account.person.noes = ("Remove",)
    with failed(SkipscanError, "nothing "):
        account.destroy()
    assert account.cloudformation.asked("DeleteStack") == []


def test_a_missing_stack_cannot_be_removed(account: Account) -> None:
    with refused(NotFoundError, "env", "dev", rule="skipscan-dev in eu-west-1 .*1{12}", way="--region .*--profile"):
        account.destroy()


def test_a_stack_that_is_worked_on_is_left(account: Account) -> None:
    account.has("UPDATE_IN_PROGRESS")
    with refused(InputError, "stack skipscan-dev", rule="UPDATE_IN_PROGRESS", way="wait"):
        account.destroy()


def test_a_protected_stack_is_left(account: Account) -> None:
    account.has("UPDATE_COMPLETE", EnableTerminationProtection=True)
    with refused(InputError, "stack skipscan-dev", way="--no-enable-termination-protection --stack-name skipscan-dev"):
        account.destroy()
    assert account.cloudformation.asked("DeleteStack") == []


def test_a_failed_removal_is_reported_with_its_reason(account: Account) -> None:
    account.has("DELETE_FAILED")
    account.cloudformation.ends["delete"] = "DELETE_FAILED"
    account.cloudformation.failures = (("Scan", "it is in use"),)
    with refused(
        SkipscanError,
        "stack skipscan-dev",
        rule=r"DELETE_FAILED\. Scan \(AWS::Lambda::Function\): ",
        way="skipscan destroy --env dev",
    ):
        account.destroy()
