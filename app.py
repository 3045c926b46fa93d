"""The CDK app: one stack for each environment that cdk.json names."""

import sys

from aws_cdk import App

from infra.cdk_json import read_environments
from infra.section import CdkJsonError
from infra.stack import SkipscanStack

app = App()
try:
    environments = read_environments(app.node.try_get_context("environments"))
except CdkJsonError as mistake:
    sys.exit(str(mistake))

for environment in environments:
    SkipscanStack(app, f"skipscan-{environment.name}", environment=environment, keep_results=environment.keep_results)
app.synth()
