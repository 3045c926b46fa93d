import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.environment import Encryption, Monitoring, Retention
from infra.section import CdkJsonError
from tests.engines.infra.environment import ARN, DAILY, GOOD, KEY, TOPIC, mistake

pytestmark = pytest.mark.engine


def test_account_region_and_tables_are_enough() -> None:
    [environment] = read_environments({"prod": GOOD})
    assert (environment.name, environment.account, environment.region) == ("prod", "123456789012", "us-east-1")
    assert environment.tables == ("Orders",)
    assert environment.schedules == ()
    assert environment.limits.batch_seconds is None
    assert environment.limits.memory_mb == 1769


def test_keys_of_the_customer_are_taken_where_they_are_given() -> None:
    [bare] = read_environments({"prod": GOOD})
    assert bare.encryption == Encryption(results=None, logs=None, tables=())
    replica = "arn:aws:kms:us-east-1:999999999999:key/mrk-" + "0a1b2c3d" * 4
    keys = {"results": KEY, "logs": replica, "tables": [KEY, replica]}
    [environment] = read_environments({"prod": {**GOOD, "encryption": keys}})
    assert environment.encryption == Encryption(results=KEY, logs=replica, tables=(KEY, replica))


def test_by_default_everything_is_watched_and_kept_and_nothing_traced() -> None:
    [environment] = read_environments({"prod": GOOD})
    assert environment.monitoring == Monitoring(dashboard=True, alarms=True, topic=None)
    assert environment.retention == Retention(results_days=None, logs_days=90)
    assert (environment.tracing, environment.keep_results) == (False, True)
    assert environment.client == "lean"


def test_the_environment_sets_monitoring_retention_tracing_and_removal() -> None:
    said = {
        "monitoring": {"dashboard": False, "topic": TOPIC},
        "retention": {"results_days": 1, "logs_days": 3653},
        "tracing": True,
        "client": "boto3",
        "keep_results": False,
    }
    [environment] = read_environments({"prod": {**GOOD, **said}})
    assert environment.monitoring == Monitoring(dashboard=False, alarms=True, topic=TOPIC)
    assert environment.retention == Retention(results_days=1, logs_days=3653)
    assert (environment.tracing, environment.keep_results) == (True, False)
    assert environment.client == "boto3"


def test_the_environments_of_cdk_json_have_no_mistake() -> None:
    context = json.loads((ROOT / "cdk.json").read_text())["context"]
    assert [environment.name for environment in read_environments(context["environments"])] == ["dev", "prod", "local"]


@pytest.mark.parametrize("context", [None, {}, ""])
def test_reports_that_no_environment_exists(context: object) -> None:
    with pytest.raises(CdkJsonError, match=r"context\.environments is missing; .*: add one"):
        read_environments(context)


def test_an_environment_is_an_object_with_a_name_fit_for_resources() -> None:
    with pytest.raises(CdkJsonError, match=r'^environment "prod" is 5; it must be an object: correct it$'):
        read_environments({"prod": 5})
    with pytest.raises(CdkJsonError, match=r"^cdk\.json: context\.environments\.pr_od has a name .*: rename it$"):
        read_environments({"pr_od": GOOD})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"bucket": "x"}, 'bucket is "x"; the fields here are account, region, tables, schedules, limits, encrypt'),
        ({"account": 123456789012}, "account is 123456789012; it must be 12 digits in quotes"),
        ({"account": "12345"}, 'account is "12345"; it must be 12 digits in quotes'),
        ({"region": "Frankfurt"}, 'region is "Frankfurt"; it must be a region, like "us-east-1": correct it'),
        ({"tables": "Orders"}, 'tables is "Orders"; it must be a list of table names or ARNs: write it like'),
        ({"tables": []}, "tables is []; it must be a list"),
        ({"tables": ["Orders", "O"]}, 'tables.1 is "O"; it must be a table\'s name (3 to 255 of'),
        ({"tables": [None]}, "tables.0 is null; it must be a table's name"),
        ({"tables": [f"{ARN}/index/x"]}, f'tables.0 is "{ARN}/index/x"; it must be a table\'s name'),
        (
            {"tables": [ARN], "region": "eu-west-1"},
            f'tables.0 is "{ARN}"; an environment reads tables of its own region, eu-w',
        ),
        ({"limits": []}, "limits is []; it must be an object: correct it"),
        ({"limits": {"seconds": 1}}, "limits.seconds is 1; the fields here are batch_seconds, batch_pages, batch_keys"),
        (
            {"limits": {"batch_seconds": 5000}},
            "limits.batch_seconds is 5000; a Lambda function needs 120 of its 900 s to finish, so it must be 1 to "
            "780: lower it",
        ),
        (
            {"limits": {"batch_seconds": 0}},
            "limits.batch_seconds is 0; a Lambda function needs 120 of its 900 s to finish, so it must be 1 to 780: ",
        ),
        (
            {"limits": {"batch_pages": True}},
            "limits.batch_pages is true; it must be a whole number, a batch reads at least 1",
        ),
        ({"limits": {"batch_keys": 0}}, "limits.batch_keys is 0; a batch holds at least 1 key: raise it"),
        (
            {"limits": {"batch_bytes": "1 MB"}},
            'limits.batch_bytes is "1 MB"; it must be a whole number, a batch holds at least',
        ),
        ({"limits": {"memory_mb": 128}}, "limits.memory_mb is 128; Scan may have 256 to 10240 MB: raise it"),
        (
            {"encryption": {"kms": KEY}},
            f'encryption.kms is "{KEY}"; the fields here are results, logs, tables, queues, executions, late_looks:',
        ),
        (
            {"encryption": {"results": "alias/mine"}},
            'encryption.results is "alias/mine"; it must be the ARN of a KMS key in us-east-1 (arn:aws:kms:us-east-1:'
            "ACCOUNT:key/ID, no alias): correct it or leave it out",
        ),
        ({"encryption": {"logs": KEY.replace("us-east", "eu-west")}}, "encryption.logs is "),
        ({"encryption": {"tables": KEY}}, f'encryption.tables is "{KEY}"; it must be a list of ARNs of KMS keys: '),
        (
            {"encryption": {"tables": [KEY, None]}},
            "encryption.tables.1 is null; it must be the ARN of a KMS key in us-",
        ),
        ({"monitoring": True}, "monitoring is true; it must be an object: correct it"),
        ({"monitoring": {"alarm": True}}, "monitoring.alarm is true; the fields here are dashboard, alarms, topic: co"),
        ({"monitoring": {"dashboard": 1}}, "monitoring.dashboard is 1; it must be true or false: correct it or leave"),
        (
            {"monitoring": {"topic": TOPIC.replace("east", "west")}},
            'monitoring.topic is "arn:aws:sns:us-west-1:123456789012:operators"; it must be the ARN of an SNS topic in '
            "us-east-1 (arn:aws:sns:us-east-1:ACCOUNT:NAME, not FIFO): correct it or leave it out",
        ),
        ({"monitoring": {"topic": f"{TOPIC}.fifo"}}, "monitoring.topic is "),
        (
            {"monitoring": {"topic": TOPIC, "alarms": False}},
            f'monitoring.topic is "{TOPIC}"; alarms is false, so no alarm would be sent: leave one of the two out',
        ),
        ({"retention": 30}, "retention is 30; it must be an object: correct it"),
        (
            {"retention": {"days": 30}},
            "retention.days is 30; the fields here are results_days, logs_days: corre",
        ),
        (
            {"retention": {"results_days": 0}},
            "retention.results_days is 0; results are kept for 1 to 36500 days, or until you",
        ),
        (
            {"retention": {"results_days": 10**12}},
            "retention.results_days is 1000000000000; results are kept for 1 to 36500 days, or until you remove them: "
            "lower it or leave it out",
        ),
        (
            {"retention": {"logs_days": 31}},
            "retention.logs_days is 31; CloudWatch keeps logs for one of 1, 3, 5, 7",
        ),
        ({"retention": {"logs_days": True}}, "retention.logs_days is true; CloudWatch keeps logs for one of 1, 3, 5"),
        ({"retention": {"logs_days": 90.0}}, "retention.logs_days is 90.0; CloudWatch keeps logs for one of 1, 3, 5"),
        ({"retention": {"logs_days": [90]}}, "retention.logs_days is [90]; CloudWatch keeps logs for one of 1, 3, 5"),
        ({"client": "fast"}, 'client is "fast"; it must be "lean" or "boto3": correct it or leave it out'),
        ({"tracing": "yes"}, 'tracing is "yes"; it must be true or false: correct it or leave it out'),
        ({"keep_results": None}, "keep_results is null; it must be true or false: correct it or leave it out"),
        ({"schedules": ["nightly"]}, 'schedules is ["nightly"]; it must be an object: correct it'),
        (
            {"schedules": {"every night": DAILY}},
            "schedules.every night has a name that cannot be part of a resource name",
        ),
        ({"schedules": {"nightly": {}}}, "schedules.nightly.expression is missing; it must be an expression of"),
    ],
)
def test_a_mistake_is_refused_with_field_value_rule_and_way_out(fields: dict[str, object], said: str) -> None:
    assert mistake(**fields).startswith(f'environment "prod": {said}')


@pytest.mark.parametrize("field", ["account", "region", "tables"])
def test_a_missing_field_is_reported(field: str) -> None:
    with pytest.raises(CdkJsonError, match=f'^environment "prod": {field} is missing; it must be '):
        read_environments({"prod": {name: value for name, value in GOOD.items() if name != field}})


@pytest.mark.parametrize("job", [{"act": True}, {"retrofit": True}])
def test_writing_to_a_table_of_another_account_is_a_mistake(job: dict[str, object]) -> None:
    """A resource policy could allow it; the roles of the stack are allowed nothing in another account."""
    other = ARN.replace("123456789012", "999999999999")
    said = mistake(tables=["Orders", other], writing={other: job})
    assert "jobs write to tables of their own account, 123456789012" in said
    assert said.endswith("add an environment in the table's account")
    read_environments({"prod": {**GOOD, "tables": ["Orders", other], "writing": {"Orders": job}}})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"permissions_boundary": "boundary"},
            'permissions_boundary is "boundary"; it must be the ARN of an IAM policy',
        ),
        ({"role_path": "team"}, 'role_path is "team"; it must be a path of IAM, like "/team/"'),
        ({"tags": {"aws:team": "a"}}, 'tags."aws:team" is "a"; a tag'),
        ({"tags": {"team": 1}}, "tags.team is 1; a tag's value must be a text"),
        (
            {"tags": {f"tag-{i}": "" for i in range(51)}},
            "tags has 51 tags; AWS allows 50 on a resource: remove some",
        ),
        (
            {"tags": {"Team": "a", "team": "b"}},
            'tags.team is "b"; IAM does not distinguish it from Team: remove one',
        ),
        (
            {"vpc": {"subnets": ["subnet-01234567"] * 17, "security_groups": ["sg-01234567"]}},
            "vpc.subnets has 17 ids; a Lambda function has at most 16: remove some",
        ),
        (
            {"vpc": {"subnets": ["subnet-01234567"], "security_groups": ["sg-01234567"] * 6}},
            "vpc.security_groups has 6 ids; a Lambda function has at most 5: remove some",
        ),
        ({"vpc": {}}, "vpc.subnets is missing; it must be a list of ids"),
        ({"vpc": {"subnets": ["subnet-1"]}}, 'vpc.subnets.0 is "subnet-1"; it must be a list of ids'),
        (
            {"vpc": {"subnets": ["subnet-01234567"], "security_groups": ["subnet-01234567"]}},
            'vpc.security_groups.0 is "subnet-01234567"; it must be a list of ids',
        ),
        ({"limits": {"reserved_concurrency": 0}}, "limits.reserved_concurrency is 0; a run has 1 to 1000 workers"),
    ],
)
def test_a_mistake_in_the_company_settings_is_refused(fields: dict[str, object], said: str) -> None:
    assert mistake(**fields).startswith(f'environment "prod": {said}'), mistake(**fields)


@pytest.mark.long
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"limits": {"batch_seconds": 5000}},
            'environment "prod": limits.batch_seconds is 5000; a Lambda function needs 120 of its 900 s to finish, so '
            "it must be 1 to 780: lower it or leave it out\n",
        ),
        (
            {"schedules": {"Role": DAILY}},
            'cdk.json: "Role" is the name of two resources of an environment; each must be unique: rename a schedule, '
            "or use another environment for a table\n",
        ),
    ],
)
def test_a_mistake_stops_the_app_with_its_message_alone(fields: dict[str, object], said: str) -> None:
    context = json.dumps({"environments": {"prod": {**GOOD, **fields}}})
    finished = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={
            **os.environ,
            "CDK_CONTEXT_JSON": context,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 1
    assert finished.stderr == said
