"""The types of boto3's clients. Only a type checker has the stubs: while a program runs, each is `Any`."""

from typing import TYPE_CHECKING, Any

__all__ = ["CloudFormationClient", "DynamoDBClient", "LambdaClient", "S3Client", "SFNClient"]

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_stepfunctions import SFNClient
else:
    CloudFormationClient = DynamoDBClient = LambdaClient = S3Client = SFNClient = Any
