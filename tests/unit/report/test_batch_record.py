"""A checkpoint with a batch's profile, as the report reads it."""

from typing import Any

from skipscan.pace.bill import Services
from skipscan.report.batch_record import batch_record
from skipscan.scan.progress import ScanCounts

PROFILE: dict[str, Any] = {
    "began": "2026-11-02T05:00:00+02:00",
    "seconds": 3.0,
    "slot_seconds": 2.0,
    "slots": [[5, 1, 0.5, 0], [9, 3, 2.0, 1]],
    "visits": [[7, 4, 2, 1.5, 0.25, 1.0, True], [8, 5, 1, 0.5, 1.0, 3.0, False]],
    "other_visits": [2, 6, 4, 2.5],
    "lengths": {"whole": {"1": 3, "12": 1}, "cut": {"20": 2}},
}
CHECKPOINT: dict[str, Any] = {
    "worker": 3,
    "batch": 2,
    "counts": vars(ScanCounts(keys=9, requests=3)),
    "spending": {"services": Services(invocations=1, s3_puts=2).to_json()},
}


def test_a_checkpoint_without_a_profile_of_its_batch_gives_no_record() -> None:
    assert batch_record("keys", ScanCounts, CHECKPOINT) is None
    assert batch_record("keys", ScanCounts, {**CHECKPOINT, "profile": {"began": PROFILE["began"]}}) is None
