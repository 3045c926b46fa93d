"""What others have observed on the real DynamoDB: `docs/observations.json`, and the page that is made of it.

`PYTHONPATH=.:lambdas python -m tests.engines.conformance.observations` writes the page, and its figure on other pages.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.engines.conformance.deviations import DEVIATIONS
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition

FILE, PAGE = Path("docs/observations.json"), Path("docs/observations.md")
QUOTING = (Path("README.md"), Path("docs/reliability.md"))
SUITE = "tests/engines/conformance/"
STATES = ("observed", "documented", "unproven")
SENTENCE = re.compile(r"\d+ of \d+\s+assumptions")


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def assumptions() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document()["assumptions"]
    return found


def value(identifier: str) -> dict[str, Any]:
    """Return what was observed of an assumption, as data."""
    [found] = [each for each in assumptions() if each["id"] == identifier]
    [observed] = [each["value"] for each in found["observations"] if "value" in each]
    return dict(observed)


def number_bytes() -> Mapping[str, int]:
    found: Mapping[str, int] = value("number-sizes")["number_bytes"]
    return found


def undecided_number_bytes() -> Mapping[str, int]:
    """Return the sizes by the rule of others, which has not been measured either."""
    [found] = [each["undecided"]["number_bytes"] for each in assumptions() if "undecided" in each]
    return dict(found)


def written_table() -> TableDefinition:
    """Return the table on which the units of writes were observed, with its indexes."""
    return TableDefinition(
        "written-indexes",
        KeySchema.of(("pk", "S"), ("sk", "S")),
        (
            IndexDefinition("gsi", KeySchema.of(("g", "S")), projection="INCLUDE", non_key_attributes=("proj",)),
            IndexDefinition("lsi", KeySchema.of(("pk", "S"), ("l", "S")), "local"),
        ),
    )


@dataclass(frozen=True)
class Write:
    """`before`: `None` for a new item. `units`: of the table and of the indexes that are written to."""

    what: str
    before: Item | None
    after: Item
    units: Mapping[str, float]


def _write(number: int, case: Mapping[str, Any]) -> Write:
    def item(attributes: Mapping[str, str]) -> Item:
        return {"pk": {"S": f"p{number}"}, "sk": {"S": "s"}, **{name: {"S": text} for name, text in attributes.items()}}

    before = item(case["before"]) if "before" in case else None
    return Write(case["what"], before, item(case["after"]), case["units"])


WRITES = [_write(number, case) for number, case in enumerate(value("index-write-units")["write_units"])]


def tests_of(assumption: Mapping[str, Any]) -> list[str]:
    """Return the tests that hold our code, our fake and the engines to an assumption."""
    return [*assumption.get("code", ()), *(f"{SUITE}{name}" for name in assumption.get("engines", ()))]


def differing(assumption: Mapping[str, Any]) -> list[str]:
    """Return the engines that are known to answer otherwise, in some case of the assumption's tests."""
    scenarios = {name.partition("::test_")[2] for name in assumption.get("engines", ())}
    return [
        engine
        for engine, keys in DEVIATIONS.items()
        if engine != "aws" and any(re.fullmatch(key.split(" ")[0], name) for key in keys for name in scenarios)
    ]


def rows() -> list[tuple[str, dict[str, Any]]]:
    """Return the tests of Parity Suite that an engine fails and that concern Skipscan, with the engine."""
    return [(each["name"], row) for each in document()["engines"] for row in each.get("parity", {}).get("rows", ())]


def counts() -> Counter[str]:
    return Counter(each["state"] for each in assumptions())


def sentence() -> str:
    return f"{counts()['observed']} of {len(assumptions())} assumptions"


def page() -> str:
    """Return the page of the assumptions."""
    lines = [
        "# What others observed on AWS",
        "",
        "[Documentation](README.md) · Understand",
        "",
        f"Nothing of ours has run on AWS yet; {sentence()} about DynamoDB were observed there by others:",
        "",
    ]
    for source in document()["sources"].values():
        lines.append(f"- [{source['name']}]({source['address']}) {source['what']}.")
    lines += [
        "",
        "*Documented* means that AWS's documentation says it, and *unproven* that nobody has observed it as far as",
        "we know. A date with *text* is that of the version that we read, not of a run. The last column names the",
        "engines of our tests that are known to answer otherwise in at least one case. [`make verify`](verify.md)",
        "checks what only a deployment shows. The data is in [observations.json](observations.json).",
    ]
    for state in STATES:
        found = [each for each in assumptions() if each["state"] == state]
        lines += ["", f"## {state.capitalize()}: {len(found)}", ""]
        lines += ["| assumption | by, when, where | our tests | engines that differ |", "|---|---|---|---|"]
        lines += [_row(each) for each in found]
    return "\n".join([*lines, *_engines()]) + "\n"


def _engines() -> list[str]:
    """Return the table of the engines: which assumptions each is known to answer otherwise, in at least one case."""
    lines = [
        "",
        "## Engines",
        "",
        "A test must fail on an engine that is known to answer otherwise in its case (a strict xfail with the reason,",
        "in `tests/engines/conformance/deviations.py`, for one case of each): no test trusts an engine there, and one",
        "that is mended is noticed. Our DynamoDB Local is older than today's: it is a second opinion on Scan and Query",
        "alone.",
        "",
        "| engine | our version | assumptions that it answers otherwise |",
        "|---|---|---|",
    ]
    for engine in document()["engines"]:
        wrong = [f"`{each['id']}`" for each in assumptions() if engine["name"] in differing(each)]
        lines.append(f"| {engine['name']} | {engine['version']} | {', '.join(wrong) or 'none'} |")
    return [*lines, *_today()]


def _today() -> list[str]:
    """Return what the engines get wrong of today's service, and which of our tests rest on that."""
    lines = [
        "",
        "## Today's service, and the engines",
        "",
        "Parity Suite runs 1,251 tests on the service and on engines. This is its newest run (3.3.0) of which we could",
        "read the result of each test. The table has what an engine fails there of reads, keys, sizes, units,",
        "conditions and indexes. It leaves out the words of errors, and what Skipscan does not call. *Must fail* is a",
        "strict xfail. LocalStack 2026.8.3 fails 8.1 %: none of our tests asks its DynamoDB.",
        "",
        "| engine | fails | test | what the engine does | our tests that rest on it |",
        "|---|---|---|---|---|",
    ]
    fails = {
        each["name"]: "{divergence} ({version}, {date})".format_map(each["parity"])
        for each in document()["engines"]
        if "parity" in each
    }
    for engine, row in rows():
        tests = ", ".join(f"`{name}`" for name in row.get("tests", ()))
        ours = f"no: {row['unused']}" if "unused" in row else f"{tests}: {row.get('mended', 'must fail')}"
        lines.append(f"| {engine} | {fails[engine]} | {row['row']} | {row['wrong']} | {ours} |")
    return lines


def _row(assumption: Mapping[str, Any]) -> str:
    seen = [_seen(each) for each in assumption.get("observations", ())]
    if source := assumption.get("source"):
        seen.append(f"[AWS's documentation]({source})")
    tests = [f"`{name.removeprefix('tests/')}`" for name in tests_of(assumption)]
    cells = [
        f"`{assumption['id']}`: {assumption['assumption']}",
        "; ".join(seen) or "nobody",
        ", ".join(tests),
        ", ".join(differing(assumption)),
    ]
    return f"| {' | '.join(cells)} |"


def _seen(observation: Mapping[str, Any]) -> str:
    source = document()["sources"][observation["by"]]
    dated = " (text)" if observation.get("dated") == "text" else ""
    where = f", {', '.join(observation['regions'])}" if "regions" in observation else ""
    return f"{source['name']}, {observation['date']}{dated}{where}: {observation['test']}"


def quoted(page: Path) -> str:
    return SENTENCE.sub(sentence(), page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for quoting in QUOTING:
        quoting.write_text(quoted(quoting), encoding="utf-8")
