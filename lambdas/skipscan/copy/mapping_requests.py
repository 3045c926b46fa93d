"""Whether the event source mappings of a replicator are on, which a copy needs, and how to switch them on."""

from collections.abc import Iterable, Sequence
from typing import Any

from botocore.exceptions import ClientError

from skipscan.copy.replica import Replica
from skipscan.errors import TableError, named
from skipscan.inputs.names import table_name

OFF = {"Disabling", "Disabled"}
"""The states of a mapping that a cut-over, or a person, switched off."""


def switching_on(mappings: Iterable[str], like: str) -> str:
    """Return how to switch mappings on. `like`: the ARN of a resource in their region."""
    rest = f"--enabled --region {like.split(':')[3]}"
    commands = [f"`aws lambda update-event-source-mapping --uuid {each} {rest}`" for each in mappings]
    return f"switch the replicator on again with {' and '.join(commands)}"


def check_on(client: Any, replica: Replica, mappings: Sequence[str]) -> None:
    """Raise `TableError` if a mapping of the replicator is off or deleted. Needs lambda:GetEventSourceMapping.

    After a cut-over the new table has writers of its own, and nothing that follows the old one. A copy would put back
    what they delete.
    """
    source, target = table_name(replica.source), table_name(replica.target)
    states = {mapping: _state(client, mapping) for mapping in mappings}
    if "Deleting" in states.values():
        rule = f'an event source mapping of its replicator was deleted, so "{target}" would lack later changes'
        raise TableError("table", source, rule, "deploy the environment again")
    if off := [mapping for mapping, state in states.items() if state in OFF]:
        way = (
            f'a copy would put back items that the writers of "{target}" delete. {named("compare_only")} works without '
            f'it. Only if no writer uses "{target}" yet, {switching_on(off, replica.stream)}, and start again'
        )
        raise TableError("table", source, "its replicator is switched off, as a cut-over leaves it", way)


def _state(client: Any, mapping: str) -> str:
    """Return the state of a mapping, by its UUID; one that is deleted counts as being deleted."""
    try:
        return str(client.get_event_source_mapping(UUID=mapping)["State"])
    except ClientError as error:
        if error.response["Error"].get("Code") == "ResourceNotFoundException":
            return "Deleting"
        raise
