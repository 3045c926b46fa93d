"""Monitors everything else of an environment, as its settings ask."""

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct, IConstruct

from .alarms import Alarms
from .dashboard import Dashboard
from .environment import Environment
from .follower import Follower


class Monitoring(Construct):
    """Alarms and a dashboard for every state machine, function and follower below `watched`."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: Environment,
        watched: IConstruct,
        dead_letters: sqs.IQueue | None,
    ) -> None:
        super().__init__(scope, id)
        everything = watched.node.find_all()
        machines = [
            (str(each.state_machine_name), each.attr_arn)
            for each in everything
            if isinstance(each, sfn.CfnStateMachine)
        ]
        functions = [str(each.function_name) for each in everything if isinstance(each, lambda_.CfnFunction)]
        followers = [each for each in everything if isinstance(each, Follower)]
        wanted, alarms = environment.monitoring, list[cloudwatch.AlarmBase]()
        if wanted.alarms:
            alarms = Alarms(
                self,
                "Alarms",
                environment=environment,
                machines=machines,
                dead_letters=dead_letters,
                followers=followers,
            ).alarms
        if wanted.dashboard:
            Dashboard(
                self,
                "Dashboard",
                environment=environment,
                machines=machines,
                functions=functions,
                dead_letters=dead_letters,
                alarms=alarms,
            )
