"""An app whose table has an index of markers: from the first item on it lists all customers for almost nothing."""

from aws_cdk import App, Stack, TimeZone
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from constructs import Construct
from skipscan_cdk.construct import Skipscan
from skipscan_cdk.mixin import SkipscanTable


class Shop(Stack):
    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        orders = dynamodb.TableV2(
            self,
            "Orders",
            partition_key=dynamodb.Attribute(name="customer", type=dynamodb.AttributeType.STRING),
            sort_key=dynamodb.Attribute(name="placed", type=dynamodb.AttributeType.NUMBER),
        )
        markers = SkipscanTable(marker={"placed": 0, "marked": "{customer}"})
        orders.with_(markers)
        skipscan = Skipscan(self, "Skipscan", name="shop", tables=[orders], markers=[markers])

        scheduler.Schedule(
            self,
            "Nightly",
            schedule=scheduler.ScheduleExpression.cron(hour="3", minute="0", time_zone=TimeZone.EUROPE_BERLIN),
            target=targets.StepFunctionsStartExecution(
                skipscan.state_machine,
                input=scheduler.ScheduleTargetInput.from_object({"table": orders.table_name, "index": "markers"}),
            ),
        )


app = App()
Shop(app, "Shop")
app.synth()
