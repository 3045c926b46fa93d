import aws_cdk as cdk
import pytest
from aws_cdk import aws_logs as logs

from infra.environment import LOG_DAYS
from infra.functions import RETENTION
from skipscan.lines.convert import AHEAD
from skipscan.listing.compare import comparison
from tests.engines.infra.template import Permissions, Template

pytestmark = pytest.mark.xdist_group("synth")

ORDERS = "arn:aws:dynamodb:eu-central-1:222222222222:table/Orders"
CUSTOMERS = "arn:aws:dynamodb:eu-central-1:333333333333:table/Customers"
KEY = "arn:aws:kms:eu-central-1:222222222222:key/{0}0000000-0000-4000-8000-000000000000"
RUN = "the bucket/skipscan/*/runs/*"
RESULTS_KEY = {
    (action, f"{KEY.format('a')} if kms:ViaService StringEquals s3.eu-central-1.amazonaws.com")
    for action in ("kms:Decrypt", "kms:GenerateDataKey")
}


def permissions(template: Template, state: str) -> Permissions:
    """What a function's role allows, but for writing the function's own log."""
    name = f"skipscan-full-{state}"
    allowed = template.permissions(template.the("AWS::Lambda::Function", FunctionName=name)["Role"])
    log = {("logs:CreateLogStream", f"/aws/lambda/{name}"), ("logs:PutLogEvents", f"/aws/lambda/{name}")}
    assert log < allowed
    return allowed - log


READ = {
    *(("dynamodb:Scan", table) for table in (ORDERS, CUSTOMERS)),
    *(("dynamodb:Scan", f"{table}/index/*") for table in (ORDERS, CUSTOMERS)),
    ("kms:Decrypt", f"{KEY.format('c')} if kms:ViaService StringEquals dynamodb.eu-central-1.amazonaws.com"),
}


DESCRIBE = ("DescribeTable", "DescribeTimeToLive")

LOOK_UP = {("dynamodb:Query", f"{table}{part}") for table in (ORDERS, CUSTOMERS) for part in ("", "/index/*")}


def test_plan_may_sample_the_tables_look_up_prices_and_write_plans(full: Template) -> None:
    assert permissions(full, "plan") == READ | LOOK_UP | RESULTS_KEY | {
        *((f"dynamodb:{action}", table) for action in DESCRIBE for table in (ORDERS, CUSTOMERS)),
        ("pricing:GetProducts", "*"),
        ("lambda:GetAccountSettings", "*"),
        ("states:ListExecutions", "arn:aws:states:eu-central-1:222222222222:stateMachine:skipscan-full"),
        ("states:DescribeExecution", "arn:aws:states:eu-central-1:222222222222:execution:skipscan-full:*"),
        ("s3:GetObject", f"{RUN}/plan.json"),
        ("s3:GetObject", f"{RUN}/manifest.json"),
        ("s3:GetObject", f"{RUN}/profile.json"),
        *(("s3:PutObject", f"{RUN}/{name}") for name in ("plan.json", "resumes/*", "profile.json", "profile.html")),
        ("s3:PutObject", f"{RUN}/allotments/*"),
        ("s3:PutObjectTagging", f"{RUN}/allotments/*"),
        ("s3:ListBucket", "the bucket"),
    }


def test_scan_may_read_the_tables_and_write_parts_and_checkpoints(full: Template) -> None:
    assert permissions(full, "scan") == READ | LOOK_UP | RESULTS_KEY | {
        *((f"s3:{verb}Object", f"{RUN}/{kind}/*") for verb in ("Get", "Put") for kind in ("keys", "checkpoints")),
        ("s3:PutObjectTagging", f"{RUN}/checkpoints/*"),
        ("s3:PutObject", f"{RUN}/allotments/*"),
        ("s3:PutObject", f"{RUN}/errors/*"),
        ("s3:PutObjectTagging", f"{RUN}/allotments/*"),
        ("s3:ListBucket", "the bucket"),
    }


def test_finish_may_read_a_run_write_its_manifest_and_no_more_than_describe_a_table(full: Template) -> None:
    assert permissions(full, "finish") == RESULTS_KEY | {
        *(("dynamodb:DescribeTable", table) for table in (ORDERS, CUSTOMERS)),
        *(("s3:GetObject", f"{RUN}/{name}") for name in ("plan.json", "keys/*", "checkpoints/*", "manifest.json")),
        *(("s3:PutObject", f"{RUN}/{name}") for name in ("unfinished.json", "manifest.json")),
        ("s3:PutObject", "the bucket/skipscan/*/finished/*"),
        ("s3:ListBucket", "the bucket"),
    }


def test_report_may_read_no_part_and_write_the_page_alone(full: Template) -> None:
    assert permissions(full, "report") == RESULTS_KEY | {
        *(("s3:GetObject", f"{RUN}/{name}") for name in ("plan.json", "checkpoints/*", "manifest.json")),
        ("s3:PutObject", f"{RUN}/report.html"),
        ("s3:ListBucket", "the bucket"),
    }


def test_compare_may_read_finished_runs_and_write_differences(full: Template) -> None:
    assert permissions(full, "compare") == RESULTS_KEY | {
        *(("s3:GetObject", f"{RUN}/{name}") for name in ("manifest.json", "keys/*", "diff.json", "diff/*")),
        *(("s3:PutObject", f"{RUN}/{name}") for name in ("diff.json", "diff/*")),
        ("s3:ListBucket", "the bucket"),
    }


def test_compare_has_room_for_the_largest_runs_that_it_takes(plain: Template) -> None:
    compare = plain.the("AWS::Lambda::Function", FunctionName="skipscan-plain-compare")
    assert compare["EphemeralStorage"]["Size"] << 20 > comparison.MOST_BYTES * 1.3
    in_memory = comparison.CHUNK_BYTES + 2 * comparison.PART_BYTES + (AHEAD + 1) * comparison.MOST_PART_BYTES
    assert compare["MemorySize"] << 20 > 1.5 * in_memory


def test_a_reader_of_objects_learns_that_an_object_is_missing(company: Template) -> None:
    """S3 answers 403 to others: a checkpoint that has expired would look like a right that is missing."""
    for function in company.every("AWS::Lambda::Function"):
        allowed = company.permissions(function["Role"])
        if any(action == "s3:GetObject" for action, _ in allowed):
            assert ("s3:ListBucket", "the bucket") in allowed, function["FunctionName"]


def test_without_keys_of_a_customer_no_function_may_use_any(plain: Template) -> None:
    for function in plain.every("AWS::Lambda::Function"):
        assert not [action for action, _ in plain.permissions(function["Role"]) if action.startswith("kms:")]


def test_no_two_functions_share_a_role(full: Template) -> None:
    roles = [function["Role"]["Fn::GetAtt"][0] for function in full.every("AWS::Lambda::Function")]
    assert len(set(roles)) == len(roles) == 5


@pytest.mark.parametrize(
    ("state", "timeout_seconds"),
    [("report", 300), *((state, 900) for state in ("plan", "scan", "finish", "compare"))],
)
def test_a_function_is_named_after_its_state_and_lives_as_long_as_it_may_need(
    plain: Template, state: str, timeout_seconds: int
) -> None:
    function = plain.the("AWS::Lambda::Function", FunctionName=f"skipscan-plain-{state}")
    assert function["Handler"] == f"handlers.listing.{state}"
    assert function["Runtime"] == "python3.14"
    assert function["Architectures"] == ["arm64"]
    assert function["Timeout"] == timeout_seconds


def test_functions_get_the_place_of_results_and_their_names(plain: Template) -> None:
    for function in plain.every("AWS::Lambda::Function"):
        variables = {name: plain.text(value) for name, value in function["Environment"]["Variables"].items()}
        assert variables == {
            "SKIPSCAN_BUCKET": "the bucket",
            "SKIPSCAN_PREFIX": "skipscan",
            "SKIPSCAN_PLACE": "us-east-1:111111111111",
            "SKIPSCAN_ENVIRONMENT": "plain",
            "POWERTOOLS_SERVICE_NAME": "skipscan",
            "POWERTOOLS_LOG_LEVEL": "INFO",
            "MALLOC_ARENA_MAX": "1",
        }


def test_a_setting_leaves_the_frequent_calls_to_boto3(full: Template) -> None:
    for function in full.every("AWS::Lambda::Function"):
        assert function["Environment"]["Variables"]["SKIPSCAN_CLIENT"] == "boto3"


def test_limits_bound_scan_and_plan_knows_what_ends_its_batches(full: Template) -> None:
    limits = {
        function["FunctionName"]: {k: v for k, v in function["Environment"]["Variables"].items() if "BATCH" in k}
        for function in full.every("AWS::Lambda::Function")
    }
    batch = {
        "SKIPSCAN_BATCH_SECONDS": "600",
        "SKIPSCAN_BATCH_PAGES": "1",
        "SKIPSCAN_BATCH_KEYS": "2",
        "SKIPSCAN_BATCH_BYTES": "3",
    }
    assert limits == {
        "skipscan-full-plan": batch,
        "skipscan-full-scan": batch,
        "skipscan-full-finish": {},
        "skipscan-full-report": {},
        "skipscan-full-compare": {},
    }
    assert full.the("AWS::Lambda::Function", FunctionName="skipscan-full-scan")["MemorySize"] == 3008


def test_scan_has_a_whole_processor_by_default(plain: Template) -> None:
    assert plain.the("AWS::Lambda::Function", FunctionName="skipscan-plain-scan")["MemorySize"] == 1769


def test_logs_are_kept_for_90_days_and_go_with_the_stack(plain: Template) -> None:
    groups = plain.raw("AWS::Logs::LogGroup")
    assert {group["Properties"]["LogGroupName"] for group in groups} == {
        f"/aws/lambda/skipscan-plain-{state}" for state in ("plan", "scan", "finish", "report", "compare")
    }
    assert {(group["Properties"]["RetentionInDays"], group["DeletionPolicy"]) for group in groups} == {(90, "Delete")}


def test_logs_are_kept_for_as_long_as_an_environment_says(watched: Template) -> None:
    assert {group["RetentionInDays"] for group in watched.every("AWS::Logs::LogGroup")} == {400}


def test_the_cdk_has_a_retention_for_every_number_of_days() -> None:
    app = cdk.App()
    stack = cdk.Stack(app, "logs")
    for days, word in RETENTION.items():
        logs.LogGroup(stack, str(days), retention=word)
    groups = app.synth().get_stack_by_name("logs").template["Resources"]
    assert [group["Properties"]["RetentionInDays"] for group in groups.values()] == list(LOG_DAYS)


def test_logs_are_encrypted_with_the_customers_key_where_there_is_one(plain: Template, full: Template) -> None:
    assert {group["KmsKeyId"] for group in full.every("AWS::Logs::LogGroup")} == {KEY.format("b")}
    assert not [group for group in plain.every("AWS::Logs::LogGroup") if "KmsKeyId" in group]
