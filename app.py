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
        SkipscanStack(app, environment.deployment, environment=environment)
    with validation_refused():
        app.synth()
except CdkJsonError as mistake:
    sys.exit(str(mistake))
