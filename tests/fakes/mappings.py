"""Lambda, as far as it knows the event source mappings of a replicator."""

from botocore.exceptions import ClientError


class Mappings:
    """`states`: by UUID. `code`: of the refusal where a mapping has none."""

    def __init__(self, *states: str, code: str = "ResourceNotFoundException") -> None:
        self.states = {f"mapping-{number}": state for number, state in enumerate(states, start=1)}
        self._code = code

    def get_event_source_mapping(self, UUID: str) -> dict[str, str]:  # noqa: N803 (boto3's)
        if UUID not in self.states:
            raise ClientError({"Error": {"Code": self._code, "Message": ""}}, "GetEventSourceMapping")
        return {"UUID": UUID, "State": self.states[UUID]}
