"""Where the results of a job over all items of a table lie on S3."""

from typing import TYPE_CHECKING

from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.inputs.names import table_name
from skipscan.loop.layout import Layout

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def item_results(client: "S3Client", settings: Settings, table: str, noun: str, name: str) -> Results:
    """Return the results of the job of that name; its noun stands where jobs over a run have the run's name."""
    return Results(client, settings.bucket, Layout(settings.prefix, table_name(table), noun, name))
