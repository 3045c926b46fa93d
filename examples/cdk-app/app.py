"""An app with a table of its own, whose customers are listed every night, and by a function that may start runs."""

from aws_cdk import App, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_lambda as lambda_
from constructs import Construct
from skipscan_cdk.construct import Skipscan


class Shop(Stack):
    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        orders = dynamodb.TableV2(
            self,
            "Orders",
            partition_key=dynamodb.Attribute(name="customer", type=dynamodb.AttributeType.STRING),
            sort_key=dynamodb.Attribute(name="placed", type=dynamodb.AttributeType.NUMBER),
        )
        nightly = {"expression": "cron(0 3 * * ? *)", "timezone": "Europe/Berlin", "input": {"table": orders}}
        settings = {"schedules": {"nightly": {**nightly, "late_after_hours": 26}}}
        skipscan = Skipscan(self, "Skipscan", name="shop", tables=[orders], settings=settings)

        newsletter = lambda_.Function(
            self,
            "Newsletter",
            runtime=lambda_.Runtime.PYTHON_3_14,
            handler="index.handler",
            code=lambda_.Code.from_inline("def handler(event, context): ..."),
            environment={
                "TABLE": orders.table_name,
                "STATE_MACHINE": skipscan.state_machine.state_machine_arn,
                "RESULTS": skipscan.bucket.bucket_name,
            },
        )
        skipscan.grant_start(newsletter)
        skipscan.grant_read_results(newsletter)


app = App()
Shop(app, "Shop")
app.synth()
