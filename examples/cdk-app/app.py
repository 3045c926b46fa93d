"""An app with a table of its own, whose customers are listed every night, and by a function that may start runs."""

from aws_cdk import App, Stack, TimeZone
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
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
        skipscan = Skipscan(self, "Skipscan", name="shop", tables=[orders])

        scheduler.Schedule(
            self,
            "Nightly",
            schedule=scheduler.ScheduleExpression.cron(hour="3", minute="0", time_zone=TimeZone.EUROPE_BERLIN),
            target=targets.StepFunctionsStartExecution(
                skipscan.state_machine,
                input=scheduler.ScheduleTargetInput.from_object({"table": orders.table_name}),
            ),
        )

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
