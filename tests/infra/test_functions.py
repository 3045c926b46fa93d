import pytest

from tests.infra.template import Permissions, Template

pytestmark = pytest.mark.xdist_group("synth")

ORDERS = "arn:aws:dynamodb:eu-central-1:222222222222:table/Orders"
CUSTOMERS = "arn:aws:dynamodb:eu-central-1:333333333333:table/Customers"
RUN = {
    ("s3:GetObject", "the bucket/skipscan/*"),
    ("s3:PutObject", "the bucket/skipscan/*"),
    ("s3:ListBucket", "the bucket"),
}


def permissions(template: Template, state: str) -> Permissions:
    """What a function's role allows, but for writing the function's own log."""
    name = f"skipscan-full-{state}"
    allowed = template.permissions(template.the("AWS::Lambda::Function", FunctionName=name)["Role"])
    log = {("logs:CreateLogStream", f"/aws/lambda/{name}"), ("logs:PutLogEvents", f"/aws/lambda/{name}")}
    assert log < allowed
    return allowed - log


READ = {
    *(("dynamodb:DescribeTable", table) for table in (ORDERS, CUSTOMERS)),
    *(("dynamodb:Scan", table) for table in (ORDERS, CUSTOMERS)),
    *(("dynamodb:Scan", f"{table}/index/*") for table in (ORDERS, CUSTOMERS)),
}


def test_plan_may_sample_the_tables_look_up_prices_and_write_results(full: Template) -> None:
    assert permissions(full, "plan") == RUN | READ | {("pricing:GetProducts", "*")}


def test_scan_may_read_the_tables_and_their_indexes_and_write_results(full: Template) -> None:
    assert permissions(full, "scan") == RUN | READ | {("s3:PutObjectTagging", "the bucket/skipscan/*")}


def test_finish_may_not_touch_a_table(full: Template) -> None:
    assert permissions(full, "finish") == RUN


def test_no_two_functions_share_a_role(full: Template) -> None:
    roles = [function["Role"]["Fn::GetAtt"][0] for function in full.every("AWS::Lambda::Function")]
    assert len(set(roles)) == len(roles) == 3


@pytest.mark.parametrize(("state", "timeout_seconds"), [("plan", 300), ("scan", 900), ("finish", 900)])
def test_a_function_is_named_after_its_state_and_lives_as_long_as_it_may_need(
    plain: Template, state: str, timeout_seconds: int
) -> None:
    function = plain.the("AWS::Lambda::Function", FunctionName=f"skipscan-plain-{state}")
    assert function["Handler"] == f"{state}.handler"
    assert function["Runtime"] == "python3.13"
    assert function["Architectures"] == ["arm64"]
    assert function["Timeout"] == timeout_seconds


def test_functions_are_told_where_results_go_and_who_they_are(plain: Template) -> None:
    for function in plain.every("AWS::Lambda::Function"):
        variables = {name: plain.text(value) for name, value in function["Environment"]["Variables"].items()}
        assert variables == {
            "SKIPSCAN_BUCKET": "the bucket",
            "SKIPSCAN_PREFIX": "skipscan",
            "SKIPSCAN_ENVIRONMENT": "plain",
            "POWERTOOLS_SERVICE_NAME": "skipscan",
            "POWERTOOLS_LOG_LEVEL": "INFO",
        }


def test_limits_bound_scan_alone(full: Template) -> None:
    limits = {
        function["FunctionName"]: {k: v for k, v in function["Environment"]["Variables"].items() if "BATCH" in k}
        for function in full.every("AWS::Lambda::Function")
    }
    assert limits == {
        "skipscan-full-plan": {},
        "skipscan-full-scan": {
            "SKIPSCAN_BATCH_SECONDS": "600",
            "SKIPSCAN_BATCH_PAGES": "1",
            "SKIPSCAN_BATCH_KEYS": "2",
            "SKIPSCAN_BATCH_BYTES": "3",
        },
        "skipscan-full-finish": {},
    }
    assert full.the("AWS::Lambda::Function", FunctionName="skipscan-full-scan")["MemorySize"] == 3008


def test_scan_has_a_whole_processor_unless_told_otherwise(plain: Template) -> None:
    assert plain.the("AWS::Lambda::Function", FunctionName="skipscan-plain-scan")["MemorySize"] == 1769


def test_logs_are_kept_for_90_days_and_go_with_the_stack(plain: Template) -> None:
    groups = plain.raw("AWS::Logs::LogGroup")
    assert {group["Properties"]["LogGroupName"] for group in groups} == {
        f"/aws/lambda/skipscan-plain-{state}" for state in ("plan", "scan", "finish")
    }
    assert {(group["Properties"]["RetentionInDays"], group["DeletionPolicy"]) for group in groups} == {(90, "Delete")}
