"""The CDK app: one stack for each environment that cdk.json names."""

import sys

from aws_cdk import App

from infra.cdk_json import read_environments
from infra.grant import validation_refused
from infra.section import CdkJsonError
from infra.stack import SkipscanStack

app = App()
try:
    for environment in read_environments(app.node.try_get_context("environments")):
        name = f"skipscan-{environment.name}"
        SkipscanStack(app, name, environment=environment, keep_results=environment.keep_results)
    with validation_refused():
        app.synth()
except CdkJsonError as mistake:
    sys.exit(str(mistake))
