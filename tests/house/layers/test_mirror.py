"""The tests mirror the product: a module that decides anything has a test of its name in the room of its name.

`lambdas/skipscan/scan/walk.py` has `tests/unit/scan/test_walk.py`, or tests in a folder `tests/unit/scan/walk/`.
`lambdas/handlers` has `tests/unit/handlers`. A module of `infra` whose test needs the CDK, which starts Node, has it in
`tests/engines/infra`.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.sources import Nodes, nodes, parsed

pytestmark = pytest.mark.xdist_group("sources")

ROOFS = {
    "lambdas/skipscan": ("tests/unit",),
    "lambdas/handlers": ("tests/unit/handlers",),
    "infra": ("tests/unit/infra", "tests/engines/infra"),
}


class Elsewhere(NamedTuple):
    """Modules of a folder without a test of their own. `tests`: the file, or folder, that sees what they decide."""

    folder: str
    modules: str
    tests: str
    why: str


L = "lambdas/skipscan"
EXCEPTIONS = (
    Elsewhere(L, "__init__", "tests/unit/library/test_api.py", "it hands out the library's names"),
    Elsewhere(
        f"{L}/library",
        "finished",
        "tests/unit/library/test_api.py",
        "what people call is one test",
    ),
    Elsewhere(f"{L}/library", "deployed", "tests/unit/cli/test_run.py", "what every command does with an environment"),
    Elsewhere(L, "__main__", "tests/unit/cli/main", "it starts the command line"),
    # act
    Elsewhere(f"{L}/act", "action", "tests/unit/handlers/act/test_act.py", "its classes are what the registry reads"),
    Elsewhere(f"{L}/act/actions", "delete_item put_item", "tests/unit/handlers/act/test_act.py", "seen by its writes"),
    Elsewhere(f"{L}/act/actions", "hand_over", "tests/unit/handlers/act/test_act.py", "seen by what is handed over"),
    Elsewhere(f"{L}/act", "input", "tests/unit/handlers/act/test_act_refusals.py", "seen by what Plan refuses"),
    Elsewhere(f"{L}/act", "task_source", "tests/unit/act/test_batch.py", "a batch's state and its tasks"),
    # scan
    # aws
    Elsewhere(f"{L}/act", "requests", "tests/unit/handlers/act/test_act.py", "the calls of an act's handlers"),
    Elsewhere(
        f"{L}/copy",
        "requests",
        "tests/unit/handlers/test_table_identity_of_jobs.py",
        "the calls of a copy's handlers",
    ),
    Elsewhere(f"{L}/aws", "function", "tests/unit/handlers/listing", "the frame around every handler"),
    Elsewhere(f"{L}/act", "planning", "tests/unit/handlers/act", "seen by what Plan refuses and returns"),
    Elsewhere(f"{L}/retrofit", "planning", "tests/engines/retrofit/test_plan_retrofit.py", "DynamoDB describes tables"),
    # cli
    Elsewhere(f"{L}/cli", "follow", "tests/unit/cli/test_status.py", "following is a status again and again"),
    Elsewhere(f"{L}/cli", "plan_table", "tests/unit/cli/board/test_screens.py", "a drawing for terminals of any width"),
    Elsewhere(f"{L}/cli", "keys", "tests/engines/commands/test_keys.py", "the command lists from an engine"),
    Elsewhere(f"{L}/cli", "deploy", "tests/unit/cli/stack/test_commands.py", "the stack's commands have one account"),
    Elsewhere(f"{L}/cli", "reference", "tests/house/docs/test_commands.py", "its output is docs/commands.md"),
    Elsewhere(f"{L}/cli/commands", "environment", "tests/house/docs/test_schemas.py", "its output is docs/schemas"),
    Elsewhere(f"{L}/cli/commands", "__init__", "tests/unit/cli/main", "it loads every command"),
    Elsewhere(f"{L}/cli/commands", "work", "tests/unit/cli/test_options.py", "the options of the run and the jobs"),
    Elsewhere(f"{L}/cli", "runs", "tests/unit/cli/test_run.py", "seen by the list of what was started"),
    Elsewhere(f"{L}/cli", "into_folder", "tests/unit/library/test_into_folder.py", "typed as the library is called"),
    Elsewhere(f"{L}/cli/commands", "jobs", "tests/unit/cli/test_job.py", "the options of a job's command"),
    Elsewhere(f"{L}/cli/stack", "change_set events", "tests/unit/cli/stack/test_deploying.py", "one deployment"),
    # compare, copy
    Elsewhere(
        f"{L}/listing/compare", "comparison", "tests/unit/handlers/listing/test_compare.py", "it reads what runs left"
    ),
    Elsewhere(
        f"{L}/listing/compare",
        "finished_runs",
        "tests/unit/handlers/listing/test_compare.py",
        "it finds what runs left",
    ),
    Elsewhere(f"{L}/copy", "batch", "tests/simulation/writers", "seen where writers interleave"),
    Elsewhere(f"{L}/copy", "input", "tests/engines/copy/test_plan_copy.py", "seen by what Plan refuses"),
    Elsewhere(f"{L}/copy", "kind", "tests/unit/report/test_work.py", "a declaration"),
    # estimate
    Elsewhere(f"{L}/listing/estimate", "rehearsal", "tests/unit/listing/estimate", "one rehearsal of a run"),
    # folder, inputs, items, keys, listing
    Elsewhere(
        f"{L}/inputs", "fields", "tests/unit/listing/test_execution_input.py", "the input of each kind is read by it"
    ),
    Elsewhere(f"{L}/folder", "files", "tests/unit/folder/storage", "seen by what the folder's storage keeps"),
    Elsewhere(f"{L}/lines", "json_lines", "tests/unit/lines/formats", "one test for all formats"),
    Elsewhere(
        f"{L}/listing", "plan", "tests/unit/library/test_into_folder.py", "a run in a folder is planned by it alone"
    ),
    Elsewhere(
        f"{L}/listing", "scope", "tests/unit/handlers/listing/test_compare.py", "what two runs may be compared by"
    ),
    # loop
    Elsewhere(f"{L}/loop", "billing", "tests/unit/report/test_record.py", "a record has its bill"),
    Elsewhere(f"{L}/loop", "work", "tests/unit/loop/test_seal.py", "what a seal is over"),
    Elsewhere(f"{L}/loop", "turn", "tests/unit/handlers/listing/test_exactly_once.py", "seen between turns"),
    Elsewhere(f"{L}/pace", "ledger", "tests/unit/act/test_batch.py", "every batch books by it"),
    # profile
    Elsewhere(f"{L}/cli", "profile", "tests/unit/profile/test_requests.py", "the command reads a table in memory"),
    Elsewhere(f"{L}/profile", "table_map", "tests/unit/profile/test_page.py", "parts of one document"),
    # report
    Elsewhere(f"{L}/report", "committed", "tests/unit/report/test_record.py", "parts of a page"),
    # retrofit, handlers
    Elsewhere(f"{L}/retrofit", "kind", "tests/unit/report/test_work.py", "a declaration"),
    Elsewhere("lambdas/handlers", "__init__ retrofit", "tests/engines/retrofit", "DynamoDB has its indexes"),
    Elsewhere("lambdas/handlers", "stream", "tests/engines/copy", "DynamoDB has both tables"),
    # infra
    Elsewhere("infra", "alarms dashboard metrics", "tests/engines/infra/test_monitoring.py", "one monitoring"),
    Elsewhere("infra", "environment section", "tests/engines/infra/test_cdk_json.py", "what cdk.json becomes"),
    Elsewhere("infra", "side_by_side", "tests/engines/infra/test_writing.py", "seen over all environments"),
    Elsewhere("infra", "follower", "tests/engines/infra/test_keeper.py", "seen by a keeper's resources"),
    Elsewhere("infra", "replicator", "tests/engines/infra/test_copying.py", "seen by a copy's resources"),
    Elsewhere("infra", "grant", "tests/engines/infra/test_functions.py", "seen by what roles may do"),
    Elsewhere("infra", "jobs", "tests/engines/infra/test_acting.py", "seen by a job's resources"),
    Elsewhere("infra", "stack", "tests/engines/infra/test_state_machine.py", "seen in every template"),
    Elsewhere(
        "infra",
        "packaged_schedule",
        "tests/engines/infra/test_package.py",
        "a part of the package's template",
    ),
    Elsewhere("infra", "restricted", "tests/engines/infra/test_company.py", "what companies ask for"),
)


def decides(nodes: Nodes) -> bool:
    """Return whether a module has a branch: `if`, `match`, `while`, `except`, `and`, `or`, in a comprehension too."""
    kinds = (ast.If, ast.IfExp, ast.While, ast.Match, ast.ExceptHandler, ast.BoolOp)
    typed = [node for node in nodes if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    branches = [node for node in nodes if isinstance(node, kinds) or (isinstance(node, ast.comprehension) and node.ifs)]
    return len(branches) > len(typed)


def modules() -> Iterator[Path]:
    for root in ROOFS:
        yield from sorted(Path(root).rglob("*.py"))


def is_mirrored(module: Path) -> bool:
    """Return whether a module has tests of its name."""
    root = next(root for root in ROOFS if module.is_relative_to(root))
    rooms = [Path(roof, module.relative_to(root).parent) for roof in ROOFS[root]]
    return any(
        Path(room, f"test_{module.stem}.py").exists() or any(Path(room, module.stem).glob("test_*.py"))
        for room in rooms
    )


def excepted() -> Iterator[Path]:
    for folder, modules, _, _ in EXCEPTIONS:
        yield from (Path(folder, f"{module}.py") for module in modules.split())


def test_every_module_that_decides_anything_has_its_test() -> None:
    missing = {path.as_posix() for path in modules() if not is_mirrored(path) and decides(nodes(path))}
    named = Counter(path.as_posix() for path in excepted())
    assert missing - named.keys() == set(), "write its test, or say here which one sees its decisions, and why"
    assert named.keys() - missing == set(), "it has a test, or decides nothing: it is no exception"
    assert set(named.values()) == {1}


@pytest.mark.parametrize("tests", sorted({exception.tests for exception in EXCEPTIONS}))
def test_what_sees_the_decisions_of_others_is_there(tests: str) -> None:
    assert any(Path(tests).glob("test_*.py")) if Path(tests).is_dir() else Path(tests).is_file()


@pytest.mark.parametrize(
    ("source", "branches"),
    [
        ("a = 1\nfor b in c: ...\nwith d: ...", False),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a", False),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nb = c or d", True),
        ("a = b if c else d", True),
        ("a = [b for b in c if b]", True),
        ("a = [b for b in c]", False),
        ("def a():\n    while b: ...", True),
        ("match a:\n    case _: ...", True),
        ("try: ...\nexcept A: ...", True),
        ("try: ...\nfinally: ...", False),
    ],
)
def test_a_branch_is_a_decision(source: str, branches: bool) -> None:
    assert decides(parsed(source)) is branches
