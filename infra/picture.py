"""Draws the picture of the state machine on the page how-it-works from its definition, so that it is never out of date.

Run `python -m infra.picture` to draw it again.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from aws_cdk import App

from .bundle import ROOT
from .cdk_json import read_environments
from .stack import SkipscanStack

PAGE = ROOT / "docs" / "how-it-works.md"
BEGIN, END = "<!-- state-machine:begin -->", "<!-- state-machine:end -->"
SHAPES = {
    "Task": '["{}"]:::task',
    "Pass": '("{}")',
    "Wait": '["{}"]:::wait',
    "Choice": '{{{{"{}"}}}}:::choice',
    "Succeed": '(["{}"]):::succeed',
    "Fail": '(["{}"]):::fail',
}
COLOURS = """\
classDef task fill:#fff4e5,stroke:#d86613,color:#232f3e
classDef choice fill:#eef3fb,stroke:#5a6b86,color:#232f3e
classDef wait fill:#f3eefb,stroke:#7d5ba6,color:#232f3e
classDef succeed fill:#e9f5e9,stroke:#3f8624,color:#232f3e
classDef fail fill:#fdecea,stroke:#c7131f,color:#232f3e
classDef map fill:#80808018,stroke:#808080,stroke-dasharray:5 4"""


def draw(definition: Mapping[str, Any]) -> str:
    """Return a state machine's definition (Amazon States Language, JSONPath) as a Mermaid flowchart."""
    lines = ["flowchart TD", *_indented([f"start(( )) --> {_id(definition['StartAt'])}", *_states(definition)])]
    return "\n".join([*lines, *_indented(COLOURS.splitlines())])


def definition_in(template: Mapping[str, Any]) -> dict[str, Any]:
    """Return the definition of a template's only state machine; functions and services belong to an example account."""
    [definition] = definitions_in(template)
    return definition


def definitions_in(template: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the definitions of all state machines of a template."""
    machines = [r for r in template["Resources"].values() if r["Type"] == "AWS::StepFunctions::StateMachine"]
    parts = [machine["Properties"]["DefinitionString"]["Fn::Join"][1] for machine in machines]
    return [dict(json.loads("".join(map(_text, each)))) for each in parts]


def _text(part: str | Mapping[str, Any]) -> str:
    match part:
        case {"Ref": "AWS::Partition"}:
            return "aws"
        case {"Fn::GetAtt": [logical_id, _]} | {"Ref": logical_id}:
            return f"arn:aws:lambda:us-east-1:123456789012:function:{logical_id}"
    return str(part)


def put_in(page: str, drawing: str) -> str:
    """Return the text of a page with the drawing between the two marks."""
    block = f"{BEGIN}\n```mermaid\n{drawing}\n```\n{END}"
    return re.sub(f"{BEGIN}.*{END}", lambda _: block, page, flags=re.DOTALL)


def _states(machine: Mapping[str, Any]) -> Iterator[str]:
    for name, state in machine["States"].items():
        if state["Type"] == "Map":
            mode = state["ItemProcessor"]["ProcessorConfig"]["Mode"].lower()
            yield f'subgraph {_id(name)}["{name} ({mode} map)"]'
            yield from _indented(_states(state["ItemProcessor"]))
            yield "end"
            yield f"{_id(name)}:::map"
        else:
            yield _id(name) + SHAPES[state["Type"]].format(name)
        for rule in state.get("Choices", ()):
            yield f'{_id(name)} -- "{_condition(rule)}" --> {_id(rule["Next"])}'
        if "Default" in state:
            yield f"{_id(name)} -- otherwise --> {_id(state['Default'])}"
        if "Next" in state:
            yield f"{_id(name)} --> {_id(state['Next'])}"


def _condition(rule: Mapping[str, Any]) -> str:
    variable = rule["Variable"].removeprefix("$.")
    match rule:
        case {"IsPresent": True}:
            return f"{variable} is present"
        case {"BooleanEquals": bool(value)}:
            return f"{variable} is {json.dumps(value)}"
    raise ValueError(f"the picture has no words for the rule {rule}: add them")


def _id(name: str) -> str:
    return re.sub(r"\W", "", name.title())


def _indented(lines: Iterator[str] | list[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)


def example() -> dict[str, Any]:
    """Return the template of the first environment in cdk.json."""
    cdk_json = json.loads((ROOT / "cdk.json").read_text())
    environment, *_ = read_environments(cdk_json["context"]["environments"])
    app = App()
    stack = SkipscanStack(app, "picture", environment=environment)
    return dict(app.synth().get_stack_artifact(stack.artifact_id).template)


if __name__ == "__main__":
    PAGE.write_text(put_in(PAGE.read_text(), draw(definition_in(example()))))
