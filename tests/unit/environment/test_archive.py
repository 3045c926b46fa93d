"""What an archive lists."""

import json
from dataclasses import replace
from typing import Any, cast

from skipscan.aws.bucket import Bucket
from skipscan.environment.status import State
from skipscan.environment.watch import Archive
from skipscan.listing.kind import LISTING
from skipscan.loop.work import FORM, ExecutionId
from tests.fakes.s3 import FakeS3
from tests.fakes.small_table import DESCRIPTION, reading

STARTED = "2026-01-01T00:00:00+00:00"
MANIFEST = {"form": FORM, "started": STARTED, "complete": True}


def test_the_status_of_finished_work_leads_to_its_manifest_and_its_report() -> None:
    storage = FakeS3("bucket")
    bucket = Bucket(cast(Any, storage), "bucket")
    arn = str(DESCRIPTION["TableArn"])
    work = LISTING.begun(ExecutionId("run-1", "arn:aws:states:us-east-1:1:execution:m:run-1", STARTED), reading())
    root = LISTING.layout("skipscan", "Audit", "run-1").root
    for name, document in {"plan": work.to_json(), "manifest": {**MANIFEST, "execution": work.execution.arn}}.items():
        storage.put_object(Bucket="bucket", Key=f"{root}{name}.json", Body=json.dumps(document).encode())
    storage.put_object(Bucket="bucket", Key=f"{root}report.html", Body=b"<html>")
    archive = Archive(LISTING, bucket, "skipscan", "Audit", "", arn)
    storage.put_object(Bucket="bucket", Key=root.replace("run-1", "old") + "plan.json", Body=b'{"form": 1}')
    (entry,), (old,) = archive.all()
    assert (old.name, old.state) == ("old", State.UNREADABLE)
    status = archive.status(entry, {})
    assert status.manifest_uri == f"s3://bucket/{root}manifest.json"
    assert status.report == archive.results("run-1").report_link(MANIFEST | {"execution": work.execution.arn})
    unfinished = replace(status, manifest=None, state=State.RUNNING).to_json()
    assert (unfinished["manifest"], unfinished["report"]) == (None, status.report)
