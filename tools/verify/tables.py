"""The tables that checks need: how each is created, and what is put into it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.source import Item

ITEMS_OF_A_RUN = 12
"""In each of its item collections, which fill 4 KB together."""

FEW_KEYS = 20
STREAM = "KEYS_ONLY"


@dataclass(frozen=True)
class MadeTable:
    """`items`: what lies in the table, by the number of keys of a run. `dollars`: what loading it costs."""

    items: Callable[[int], Iterable[Item]] = lambda keys: ()
    dollars: float = 0.0
    has_stream: bool = False
    is_encrypted: bool = False

    def requested(self, kms_key: str | None) -> dict[str, Any]:
        """Return the properties of the resource, without the name."""
        names = ("p", "s")
        encrypted = {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": kms_key}
        return {
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [
                {"AttributeName": n, "KeyType": kind} for n, kind in zip(names, ("HASH", "RANGE"), strict=True)
            ],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
            **({"StreamSpecification": {"StreamViewType": STREAM}} if self.has_stream else {}),
            **({"SSESpecification": encrypted} if self.is_encrypted else {}),
        }


def _run(keys: int) -> Iterator[Item]:
    body = {"B": bytes(4096 // ITEMS_OF_A_RUN - 40)}
    for key in range(keys):
        for number in range(ITEMS_OF_A_RUN):
            yield {"p": {"S": f"made-up-{key:05d}"}, "s": {"S": f"{number:02d}"}, "body": body}


def _few(_: int) -> Iterator[Item]:
    return _run(FEW_KEYS)


TABLES: Mapping[str, MadeTable] = {
    "run": MadeTable(_run, 0.016),
    "refused": MadeTable(_few, 0.0002),
    "jobs": MadeTable(_few, 0.0002),
    "encrypted": MadeTable(_few, 0.0002, is_encrypted=True),
    "mapped": MadeTable(has_stream=True),
    "copied": MadeTable(_few, 0.0002, has_stream=True),
    "copy": MadeTable(),
}
"""By the name that checks know them by; in the account each name has the kit's prefix."""

KEPT = ("copied", "copy")
"""Tables of a stack of their own, which stays: a deployed environment follows the stream of the one, and writes what
the stream says into the other."""
