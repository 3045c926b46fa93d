"""The CDK app: one stack for each environment that cdk.json names."""

import sys

from aws_cdk import App

from infra.cdk_json import read_environments
from infra.section import CdkJsonError
from infra.stack import SkipscanStack

app = App()
try:
    for environment in read_environments(app.node.try_get_context("environments")):
        name, keep_results = f"skipscan-{environment.name}", environment.keep_results
        SkipscanStack(app, name, environment=environment, keep_results=keep_results)
except CdkJsonError as mistake:
    sys.exit(str(mistake))
app.synth()
