"""A synthesised template in words, with a resource's name in place of its logical id."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aws_cdk import App

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.stack import SkipscanStack
from tests.fakes.iam.policy import listed

Permissions = set[tuple[str, str]]
"""What may be done, and to what."""
Named = Callable[[str], str]
"""What a resource is called, by its logical id."""


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
        """Return everything that a role allows, as a function or the machine refers to it; conditions follow `if`."""
        return {
            (action, resource + "".join(f" if {condition}" for condition in _conditions(statement)))
            for document in self.policies(role)
            for statement in document["Statement"]
            if statement["Effect"] == "Allow"
            for action in listed(statement["Action"])
            for resource in listed(statement["Resource"])
        }

    def statements(self, action: str, *kinds: str) -> list[dict[str, Any]]:
        """Return the statements about an action, of roles' policies or those of the kinds."""
        policies = [policy for kind in kinds or ("AWS::IAM::Policy",) for policy in self.every(kind)]
        every = [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]
        return [statement for statement in every if action in listed(statement["Action"])]

    def policies(self, role: Mapping[str, Any], named: Named | None = None) -> list[dict[str, Any]]:
        """Return the policy documents of a role, in words. `named`: see `text`."""
        logical_id = role["Fn::GetAtt"][0]
        # All it may do is in policies of their own: nothing managed, nothing inline.
        restricting = {"PermissionsBoundary", "Path", "Tags"}
        assert self._resources[logical_id]["Properties"].keys() - restricting == {"AssumeRolePolicyDocument"}
        attached = [policy for policy in self.every("AWS::IAM::Policy") if {"Ref": logical_id} in policy["Roles"]]
        return [self.spelled(policy["PolicyDocument"], named) for policy in attached]

    def spelled(self, value: Any, named: Named | None = None) -> Any:
        """Return any part of the template with every reference in it replaced, as `text` does for one."""
        if isinstance(value, list):
            return [self.spelled(each, named) for each in value]
        if isinstance(value, dict) and not any(name == "Ref" or name.startswith("Fn::") for name in value):
            return {name: self.spelled(each, named) for name, each in value.items()}
        return self.text(value, named)

    def text(self, value: Any, named: Named | None = None) -> str:
        """Return a value with its references replaced by what the resource is called. `named`: says that otherwise."""
        match value:
            case {"Fn::Join": [separator, parts]}:
                return str(separator).join(self.text(part, named) for part in parts)
            case {"Ref": "AWS::Partition"}:
                return "aws"
            case {"Ref": str(parameter)} if parameter.startswith("AWS::"):
                return parameter
            case {"Ref": version} if not named and self._resources[version]["Type"] == "AWS::Lambda::Version":
                return f"{self.text(self._resources[version]['Properties']['FunctionName'])}:1"
            case {"Ref": logical_id} | {"Fn::GetAtt": [logical_id, "Arn" | "QueueName"]}:
                return (named or self._name)(logical_id)
        return str(value)

    def _name(self, logical_id: str) -> str:
        resource = self._resources[logical_id]
        for name in ("FunctionName", "LogGroupName", "StateMachineName"):
            if name in resource["Properties"]:
                return str(resource["Properties"][name])
        return f"the {resource['Type'].rpartition('::')[2].lower()}"


def _conditions(statement: Mapping[str, Any]) -> list[str]:
    return [
        f"{key} {operator} {value}"
        for operator, compared in statement.get("Condition", {}).items()
        for key, value in compared.items()
    ]


def synthesised(environments: Mapping[str, Any]) -> dict[str, Template]:
    """Return the template of each environment, of one app."""
    app = App(context=json.loads((ROOT / "cdk.json").read_text())["context"])
    for environment in read_environments(environments):
        SkipscanStack(app, environment.name, environment=environment)
    return {name: Template(app.synth().get_stack_by_name(name).template) for name in environments}


def every(templates: Mapping[str, Template], kind: str) -> Iterator[tuple[str, Template, str, dict[str, Any]]]:
    """Yield the resources of a kind: environment, template, logical id, resource."""
    found = [
        (environment, template, name, resource)
        for environment, template in templates.items()
        for name, resource in template.document["Resources"].items()
        if resource["Type"] == kind
    ]
    assert found
    yield from found
