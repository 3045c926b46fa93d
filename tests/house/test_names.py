"""A public name is defined in one module: whoever reads it in another guesses right what it is."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path("lambdas/skipscan")

COMMANDS = {
    *("act", "copy", "deploy", "destroy", "diff", "download", "follow", "keys", "list_work", "plan", "profile"),
    *("report", "resume", "retrofit", "run", "runs", "schema", "status", "stop"),
    *("start_copy", "compare_copy", "cut_over_copy"),
}
"""The options of a command and its body have the command's name."""


def test_no_public_name_is_defined_in_two_modules() -> None:
    defined = defaultdict(set)
    for path in ROOT.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                defined[node.name].add(path)
    assert {name for name, paths in defined.items() if len(paths) > 1} <= COMMANDS
