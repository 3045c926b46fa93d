"""A synthesised template in words: what a resource is called stands where CloudFormation has a logical id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Permissions = set[tuple[str, str]]
"""What may be done, and to what."""


class Template:
    """Resources are found by their kind and properties; "the bucket" is the one bucket there is."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self._resources: Mapping[str, Any] = document["Resources"]

    def every(self, kind: str) -> list[dict[str, Any]]:
        """Return the properties of all resources of a kind, like "AWS::S3::Bucket"."""
        return [resource["Properties"] for resource in self.raw(kind)]

    def the(self, kind: str, **properties: str) -> dict[str, Any]:
        """Return the properties of the one resource of a kind that has these properties."""
        [found] = [each for each in self.every(kind) if all(each[name] == properties[name] for name in properties)]
        return found

    def raw(self, kind: str) -> list[dict[str, Any]]:
        return [resource for resource in self._resources.values() if resource["Type"] == kind]

    def permissions(self, role: Mapping[str, Any]) -> Permissions:
        """Return all that a role, as a function or the machine refers to it, allows."""
        logical_id = role["Fn::GetAtt"][0]
        # All it may do is in policies of their own: nothing managed, nothing inline.
        assert self._resources[logical_id]["Properties"].keys() == {"AssumeRolePolicyDocument"}
        policies = [policy for policy in self.every("AWS::IAM::Policy") if {"Ref": logical_id} in policy["Roles"]]
        statements = [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]
        assert all(statement.keys() == {"Effect", "Action", "Resource"} for statement in statements)
        return {
            (action, self.text(resource))
            for statement in statements
            for action in _listed(statement["Action"])
            for resource in _listed(statement["Resource"])
        }

    def text(self, value: Any) -> str:
        """Return a value with its references replaced by what the resource is called."""
        match value:
            case {"Fn::Join": [separator, parts]}:
                return str(separator).join(map(self.text, parts))
            case {"Ref": logical_id} | {"Fn::GetAtt": [logical_id, "Arn"]}:
                return self._name(logical_id)
            case {"Fn::Select": [6, {"Fn::Split": [":", {"Ref": logical_id}]}]}:  # the name at the end of an ARN
                return self._name(logical_id)
        return str(value)

    def _name(self, logical_id: str) -> str:
        resource = self._resources[logical_id]
        for name in ("FunctionName", "LogGroupName", "StateMachineName"):
            if name in resource["Properties"]:
                return str(resource["Properties"][name])
        return f"the {resource['Type'].rpartition('::')[2].lower()}"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
