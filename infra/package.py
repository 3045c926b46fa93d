"""`python -m infra.package [ENV]`: writes a template, the Lambda zip and instructions to build/package.

They are deployed in the console, without the CDK and its bootstrap. Without ENV the template has parameters for the
tables and fits every account and region. With ENV it is that environment of cdk.json.
"""

import json
import sys
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

import skipscan
from skipscan.inputs.names import TABLE_NAME

from . import bundle
from .company import ROLE_PATH
from .construct import environment_in
from .environment import Company, Environment
from .grant import validation_refused
from .names import is_given, parameter
from .packaged_schedule import A_TOPIC, ANY_TOPIC, NO_TOPIC, NOTIFY, SCHEDULE, PackagedNotices, PackagedSchedule
from .restricted import connect, describe
from .section import CdkJsonError, ending
from .stack import DESCRIPTION, Deployment
from .target import CDK_JSON, environment_named

FOLDER = bundle.ROOT / "build" / "package"
GUIDE = Path(__file__).parent / "package.md"
NO_SUBNET = "subnet-00000000"
"""A placeholder for none: template checks require an id where there may be one later."""

COMPANY = ("PermissionsBoundary", "RolePath", "SubnetIds", "SecurityGroupIds")
OTHER_TABLES = ("Table2", "Table3", "Table4", "Table5")


class PackagedStack(cdk.Stack):
    """The stack of one environment, whose code is in a bucket of the account that deploys it.

    `environment`: `None` for one that parameters describe. `zip`: the default name of the code's object. `code_sha256`:
    of its content, in base64. Without it, whoever may write to the code's bucket could exchange the code.
    """

    def __init__(
        self, scope: Construct, id: str, *, environment: Environment | None, zip: str, code_sha256: str
    ) -> None:
        # This synthesizer needs no bootstrap, and the stack has no assets that would need parameters.
        super().__init__(scope, id, description=DESCRIPTION, synthesizer=cdk.LegacyStackSynthesizer())
        groups, is_described = [], environment is None
        if environment is None:
            environment = self._chosen()
            chosen = ("EnvironmentName", "Table", *OTHER_TABLES)
            groups.append(_group("Name, and the tables that it can read", *chosen))
            groups.append(_group("Schedule of the first table, and notifications", *SCHEDULE, *NOTIFY, "AlarmTopic"))
            notices = PackagedNotices(self, "Notices", environment=environment)
            topic = self._topic(notices.own_topic)
            environment = replace(environment, company=self._company(), alarm_topic=topic, announce=notices.announce)
        code = lambda_.Code.from_cfn_parameters(
            bucket_name_param=cdk.CfnParameter(
                self, "CodeBucket", description=f"The bucket in this region to which you uploaded {zip}"
            ),
            object_key_param=cdk.CfnParameter(
                self, "CodeKey", default=zip, description="The object's name in the bucket"
            ),
        )
        groups.append(_group("Location of the code", "CodeBucket", "CodeKey"))
        if is_described:
            groups.append(_group("Requirements of your company (optional)", *COMPANY))
        self.template_options.metadata = {"AWS::CloudFormation::Interface": {"ParameterGroups": groups}}
        deployment = Deployment(self, "Default", environment=environment, code=code, code_name=zip)
        deployment.add_outputs()
        for version in deployment.node.find_all():
            if isinstance(version, lambda_.CfnVersion):
                version.code_sha256 = code_sha256
        if is_described:
            self._connect(deployment, str(environment.company.role_path))
            table = str(environment.tables[0])
            PackagedSchedule(self, "Scheduled", environment=environment, table=table, machine=deployment.state_machine)
            cdk.CfnOutput(self, "Version", value=skipscan.__version__)

    def _company(self) -> Company:
        """Return the role settings from the parameters. An empty parameter sets nothing."""
        boundary = parameter(
            self,
            "PermissionsBoundary",
            "[A-Za-z0-9+=,.@_/-]{0,512}",
            "Permissions boundary of every role: the name of a policy in this account, with its path",
            must_be="the name of a policy with its path, of up to 512 letters, digits and +=,.@_/-",
        )
        path = parameter(
            self,
            "RolePath",
            ROLE_PATH,
            "Path of every role, like /team/",
            must_be="a path that begins and ends with /",
            default="/",
        )
        given = is_given(self, "PermissionsBoundaryGiven", boundary)
        policy = f"arn:{self.partition}:iam::{self.account}:policy/{boundary}"
        bound = cdk.Fn.condition_if(given.logical_id, policy, cdk.Aws.NO_VALUE).to_string()
        return Company(permissions_boundary=bound, role_path=path)

    def _topic(self, otherwise: cdk.IResolvable) -> str:
        """Return the topic for alarms. `otherwise`: without one in the parameter."""
        topic = parameter(
            self,
            "AlarmTopic",
            f"{NO_TOPIC}|{ANY_TOPIC}",
            "ARN of the SNS topic for alarms, or none",
            must_be=A_TOPIC,
            default=NO_TOPIC,
        )
        given = is_given(self, "AlarmTopicGiven", topic, NO_TOPIC)
        return cdk.Fn.condition_if(given.logical_id, topic, otherwise).to_string()

    def _connect(self, deployment: Deployment, role_path: str) -> None:
        """Run the functions in the given subnets, if there are any."""
        lists = {
            name: cdk.CfnParameter(self, name, type="CommaDelimitedList", default=none, description=said).value_as_list
            for name, none, said in (
                ("SubnetIds", NO_SUBNET, "Subnets of the functions; keep the default for no network"),
                ("SecurityGroupIds", "sg-00000000", "Security groups of the functions in these subnets"),
            )
        }
        subnets, groups = lists.values()
        condition = is_given(self, "SubnetIdsGiven", cdk.Fn.join("", subnets), NO_SUBNET)
        connect(deployment, subnets, groups, condition=condition)
        # Parameters are references, so the template is the same with others.
        describe(deployment, cdk.Fn.join("", [role_path, _digits("subnet-", subnets), _digits("sg-", groups)]))

    def _chosen(self) -> Environment:
        """Return the environment that the stack's parameters describe.

        Each table has its own parameter: CloudFormation cannot make ARNs from a list of names.
        """
        name = parameter(
            self,
            "EnvironmentName",
            "[a-zA-Z0-9-]{1,24}",
            'All resources are named "skipscan-<environment>"; give the stack the same name',
            must_be="1 to 24 letters, digits and -",
            default="dev",
        )
        first = parameter(
            self,
            "Table",
            TABLE_NAME.pattern,
            "Name of a table that it can read",
            must_be="the name of a table",
            default=None,
        )
        others = [self._table(id, first) for id in OTHER_TABLES]
        environment = environment_in(self, "dev", [first, *others], {})
        return replace(environment, name=name)

    def _table(self, id: str, otherwise: str) -> str:
        """Return the name of one more table, or of the first one again if none is given."""
        name = parameter(
            self,
            id,
            f"|{TABLE_NAME.pattern}",
            "Name of another table, or nothing",
            must_be="the name of a table, or nothing",
        )
        given = is_given(self, f"{id}Given", name)
        return cdk.Fn.condition_if(given.logical_id, name, otherwise).to_string()


def package(environment: Environment | None, folder: Path) -> None:
    """Write the package of an environment, or of one that parameters describe. Replaces the folder."""
    code = bundle.bundle(bundle.ROOT / "lambdas", FOLDER.parent)
    zip = f"{code.name.replace('bundle', 'skipscan')}.zip"
    name = environment.deployment if environment else "skipscan"
    content = bundle.zipped(code)
    code_sha256 = b64encode(sha256(content).digest()).decode()
    with TemporaryDirectory() as out:
        context = json.loads(CDK_JSON.read_bytes())["context"]
        app = cdk.App(outdir=out, analytics_reporting=False, context=context)
        PackagedStack(app, name, environment=environment, zip=zip, code_sha256=code_sha256)
        with validation_refused():
            app.synth()
        template = json.loads(Path(out, f"{name}.template.json").read_text(encoding="utf-8"))
    rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / f"{name}.template.json").write_text(json.dumps(template, indent=1) + "\n", encoding="utf-8")
    (folder / zip).write_bytes(content)
    guide = GUIDE.read_text(encoding="utf-8").replace("ZIP", zip).replace("TEMPLATE", f"{name}.template.json")
    (folder / "README.md").write_text(guide.replace("STACK", environment.deployment if environment else "skipscan-dev"))


def show_files(folder: Path) -> None:
    """Print the files that were made, with their sizes."""
    for file in sorted(folder.iterdir()):
        sys.stdout.write(f"{file.relative_to(bundle.ROOT)}  {file.stat().st_size / 1000:,.0f} kB\n")


def _digits(prefix: str, ids: list[str]) -> str:
    """Return the ids without their prefix, so that many fit into a description."""
    return cdk.Fn.join(" ", cdk.Fn.split(prefix, cdk.Fn.join("", ids)))


def _group(label: str, *parameters: str) -> dict[str, object]:
    return {"Label": {"default": label}, "Parameters": list(parameters)}


if __name__ == "__main__":
    with ending(CdkJsonError):
        package(environment_named(sys.argv[1], CDK_JSON.read_bytes()) if sys.argv[1:] else None, FOLDER)
    show_files(FOLDER)
