"""The event source mappings of a replicator: whether they are on, and how a person switches them on."""

from collections.abc import Iterable, Sequence
from typing import Any

from botocore.exceptions import ClientError

from skipscan.copy.replica import Replica
from skipscan.errors import TableError, named
from skipscan.inputs.names import table_name

OFF = {"Disabling", "Disabled"}
"""The states of a mapping that a cut-over, or a person, switched off."""

DELETED = "Deleted"
GONE = {"Deleting", DELETED}


def mapping_state(client: Any, mapping: str) -> str:
    """Return the state of a mapping, by its UUID. Needs lambda:GetEventSourceMapping."""
    try:
        found: str = client.get_event_source_mapping(UUID=mapping)["State"]
    except ClientError as error:
        if error.response["Error"].get("Code") != "ResourceNotFoundException":
            raise
        return DELETED
    return found


def switching_on(mappings: Iterable[str]) -> str:
    """Return the commands that switch mappings on, in words."""
    return " and ".join(f"`aws lambda update-event-source-mapping --uuid {each} --enabled`" for each in mappings)


def check_on(client: Any, replica: Replica, mappings: Sequence[str]) -> None:
    """Raise `TableError` if a mapping of the replicator is switched off or deleted.

    After a cut-over the new table has writers of its own, and nothing that follows the old one. A copy would put back
    what they delete.
    """
    source, target = table_name(replica.source), table_name(replica.target)
    states = {mapping: mapping_state(client, mapping) for mapping in mappings}
    if GONE & {*states.values()}:
        raise TableError(
            "table",
            source,
            f'an event source mapping of its replicator was deleted, so "{target}" would lack later changes',
            "deploy the environment again",
        )
    if off := [mapping for mapping, found in states.items() if found in OFF]:
        raise TableError(
            "table",
            source,
            "its replicator is switched off, as a cut-over leaves it",
            (
                f'a copy would put back items that the writers of "{target}" delete. ',
                named("compare_only"),
                f' works without it. Only if no writer uses "{target}" yet, switch it on with '
                f"{switching_on(off)}, and start again",
            ),
        )
