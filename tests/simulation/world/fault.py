"""What can go wrong with one call: the name under which each fault is counted, and its effect on the caller."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from botocore.exceptions import ClientError, ConnectionClosedError, IncompleteReadError, ReadTimeoutError

from tests.fakes.s3 import s3_error

URL = "https://endpoint.invalid"


class Kind(Enum):
    SCAN = "scan"  # and Query
    DESCRIBE = "describe"
    ITEM = "item"  # one item is read
    WRITE = "write"  # one item is written
    SEND = "send"  # to a function or a queue
    READ = "read"  # HEAD, GET and LIST of S3
    PART = "part"
    CHECKPOINT = "checkpoint"
    DOCUMENT = "document"  # the plan, the manifest, how far an unfinished run came


@dataclass(frozen=True)
class Call:
    """One call of a handler: `perform` makes it."""

    operation: str
    kind: Kind
    parameters: Mapping[str, Any]
    perform: Callable[[], dict[str, Any]]


ANY = frozenset(Kind)
PUT = frozenset({Kind.PART, Kind.CHECKPOINT, Kind.DOCUMENT})
ONCE = frozenset({Kind.PART, Kind.DOCUMENT})
S3 = PUT | {Kind.READ}
SCAN = frozenset({Kind.SCAN})
DATA = SCAN | {Kind.ITEM, Kind.WRITE}
SENT = frozenset({Kind.WRITE, Kind.SEND})
"""Calls that others see, or receive."""


class Fault(Enum):
    """`value`: its name. `fits`: the calls that can meet it."""

    fits: frozenset[Kind]

    CRASH_BEFORE = "crash before a call", ANY
    CRASH_AFTER = "crash after a call", ANY
    CRASH_BEFORE_PART = "crash before the part is written", {Kind.PART}
    CRASH_AFTER_PART = "crash after the part is written", {Kind.PART}
    TIME_OUT = "Lambda time-out", ANY
    SLOW = "slow answer", ANY
    KEY_RANGE = "throttled: key range of the table", DATA
    INDEX_KEY_RANGE = "throttled: key range of the index", DATA
    PROVISIONED = "throttled: provisioned throughput", DATA
    ACCOUNT = "throttled: account", DATA
    ON_DEMAND = "throttled: maximum on demand", DATA
    NO_REASON = "throttled: no reason given", DATA
    SCAN_500 = "DynamoDB 500", DATA
    SCAN_503 = "DynamoDB 503", DATA
    SCAN_DENIED = "DynamoDB access denied", DATA
    SCAN_RESET = "DynamoDB connection reset", DATA
    SCAN_CUT = "DynamoDB answer cut short", DATA
    SCAN_TIMEOUT = "DynamoDB read time-out", DATA
    EMPTY_PAGE = "empty page with LastEvaluatedKey", SCAN
    SEND_TIMEOUT = "function or queue read time-out", {Kind.SEND}
    SEND_THROTTLED = "function or queue throttled", {Kind.SEND}
    S3_500 = "S3 500", S3
    S3_503 = "S3 503", S3
    S3_TIMEOUT = "S3 read time-out", S3
    S3_409 = "S3 409", ONCE
    S3_412 = "S3 412 out of the blue", ONCE
    LOST = "put that takes effect, its answer lost", PUT | SENT
    LOST_RETRIED = "put that takes effect, its answer lost, put again by the SDK", PUT
    LATE = "put that takes effect later", PUT | SENT
    LATE_RETRIED = "put that takes effect later, put again by the SDK", PUT
    SENT_TWICE = "write that takes effect again later, sent twice by the SDK", {Kind.WRITE}
    RACED = "put while another of its name is under way", ONCE

    def __new__(cls, value: str, fits: frozenset[Kind]) -> "Fault":
        fault = object.__new__(cls)
        fault._value_ = value
        fault.fits = frozenset(fits)
        return fault


THROTTLING = {
    Fault.KEY_RANGE: ("ThrottlingException", "TableReadKeyRangeThroughputExceeded"),
    Fault.INDEX_KEY_RANGE: ("ThrottlingException", "IndexReadKeyRangeThroughputExceeded"),
    Fault.PROVISIONED: ("ProvisionedThroughputExceededException", "TableReadProvisionedThroughputExceeded"),
    Fault.ACCOUNT: ("RequestLimitExceeded", "TableReadAccountLimitExceeded"),
    Fault.ON_DEMAND: ("ThrottlingException", "TableReadMaxOnDemandThroughputExceeded"),
    Fault.NO_REASON: ("ThrottlingException", None),
}

SCAN_STATUS = {
    Fault.SCAN_500: ("InternalServerError", 500),
    Fault.SCAN_503: ("ServiceUnavailable", 503),
    Fault.SCAN_DENIED: ("AccessDeniedException", 400),
}

S3_STATUS = {
    Fault.S3_500: ("InternalError", 500),
    Fault.S3_503: ("SlowDown", 503),
    Fault.S3_409: ("ConditionalRequestConflict", 409),
    Fault.S3_412: ("PreconditionFailed", 412),
}


def refusal(fault: Fault, call: Call) -> Exception | None:
    """Return the error with which a fault keeps a call from having any effect; `None` if it does not."""
    if fault in THROTTLING:
        return scan_error(THROTTLING[fault][0], 400, THROTTLING[fault][1])
    if fault in SCAN_STATUS:
        return scan_error(*SCAN_STATUS[fault])
    if fault in S3_STATUS:
        code, status = S3_STATUS[fault]
        if call.operation == "HeadObject":
            code = str(status)  # the answer to HEAD has no body, and so no error code
        return s3_error(code, status, call.operation)
    connection: dict[Fault, Exception] = {
        Fault.SCAN_RESET: ConnectionClosedError(endpoint_url=URL),
        Fault.SCAN_CUT: IncompleteReadError(actual_bytes=1, expected_bytes=2),
        Fault.SCAN_TIMEOUT: lost_answer(),
        Fault.S3_TIMEOUT: lost_answer(),
        Fault.SEND_TIMEOUT: lost_answer(),
        Fault.SEND_THROTTLED: scan_error("TooManyRequestsException", 429),
    }
    return connection.get(fault)


def lost_answer() -> Exception:
    return ReadTimeoutError(endpoint_url=URL)


def scan_error(code: str, status: int, reason: str | None = None) -> ClientError:
    response: Any = {"Error": {"Code": code, "Message": ""}, "ResponseMetadata": {"HTTPStatusCode": status}}
    if reason:
        response["ThrottlingReasons"] = [{"reason": reason, "resource": "arn"}]
    return ClientError(response, "Scan")


def empty_page(call: Call) -> dict[str, Any]:
    """Return a page without items that ends where it began, at the price of an empty page; not for a first one."""
    units = 1.0 if call.parameters.get("ConsistentRead") else 0.5
    return {
        "Items": [],
        "Count": 0,
        "ScannedCount": 0,
        "LastEvaluatedKey": call.parameters["ExclusiveStartKey"],
        "ConsumedCapacity": {"TableName": call.parameters["TableName"], "CapacityUnits": units},
    }


@dataclass
class FaultCounts:
    """`faults`: that happened, not only planned. `outcomes`: how executions ended, by name."""

    schedules: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)

    def fault(self, fault: Fault | str) -> None:
        self.faults[fault.value if isinstance(fault, Fault) else fault] += 1

    def outcome(self, name: str) -> None:
        self.outcomes[name] += 1

    def __iadd__(self, other: "FaultCounts") -> "FaultCounts":
        self.schedules += other.schedules
        self.faults += other.faults
        self.outcomes += other.outcomes
        return self
