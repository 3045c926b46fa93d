"""Tests check refusals as data, with `tests.refusal`: only golden texts and the listed tests hold their sentences."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skipscan.errors import SkipscanError
from tests.house.sources import parsed

GOLDEN = {
    "tests/engines/infra/machines/test_definitions.py": "a cause as a person reads it in the console and in a terminal",
    "tests/engines/infra/test_cdk_json.py": "what a person reads when synth stops",
    "tests/house/docs/test_read_on.py": "where a message names its page",
    "tests/unit/cli/main/test_words.py": "where a message names its page",
    "tests/unit/cli/test_options.py": "the options of a command in the place of fields",
    "tests/unit/loop/test_proof.py": "a proof that fails is one sentence, and its words tell which proof",
}
"""The tests that check the words of refusals, and why."""

SENTENCE = re.compile(r"\bit must be\b|\bdid you mean\b|\bcorrect it\b|\b(leave|raise|lower) (it|[\w.]+ out)\b")
IN_LITERALS = re.compile(SENTENCE.pattern.replace(" ", r"""[\s"'frb]+"""))
"""The same in a source, where a text may be written in pieces."""


def kin(error: type[SkipscanError]) -> set[str]:
    return {error.__name__}.union(*map(kin, error.__subclasses__()))


REFUSALS = kin(SkipscanError) | {"CdkJsonError"}
CAUGHT = re.compile(rf"\(\s*({'|'.join(REFUSALS)})\b")


def pins(source: str) -> Iterator[int]:
    """Yield the lines that hold a refusal to its English.

    They are a `match` of a refusal, the text of a caught refusal (but not where a word must be absent), and a text that
    has the words of a rule or a way out.
    """
    is_caught = CAUGHT.search(source) and ("match" in source or "str(" in source)
    if not is_caught and not IN_LITERALS.search(source):
        return  # to parse every file of tests takes seconds
    nodes = parsed(source)
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    caught = set()
    for node in nodes:
        match node:
            case ast.Call(ast.Attribute(attr="raises"), [ast.Name(error), *_], keywords) if error in REFUSALS:
                if any(keyword.arg == "match" for keyword in keywords):
                    yield node.lineno
            case ast.withitem(ast.Call(args=[ast.Name(error), *_]), ast.Name(name)) if error in REFUSALS:
                caught.add(name)
            case ast.Constant(str(text)) if id(node) not in prose and SENTENCE.search(text):
                yield node.lineno
    for node in nodes if caught else ():
        match node:
            case ast.Compare(left, [ast.In() | ast.Eq()], [right]) if {text_of(left), text_of(right)} & caught:
                yield node.lineno
            case ast.Attribute(value, "startswith" | "endswith") if text_of(value) in caught:
                yield node.lineno


def text_of(node: ast.AST) -> str:
    """Return the name of the error whose text an expression is: `str(name.value)`."""
    match node:
        case ast.Call(ast.Name("str"), [ast.Attribute(ast.Name(name), "value")]):
            return name
    return ""


def test_sentences_of_refusals_are_in_golden_tests_alone() -> None:
    files = [path for path in sorted(Path("tests").rglob("test_*.py")) if path.name != Path(__file__).name]
    found = {path.as_posix(): lines for path in files if (lines := list(pins(path.read_text(encoding="utf-8"))))}
    assert {file: lines for file, lines in found.items() if file not in GOLDEN} == {}
    assert GOLDEN.keys() - found.keys() == set()


@pytest.mark.parametrize(
    "source",
    [
        "with pytest.raises(InputError, match='segments'):\n    pass",
        "with pytest.raises(TableError) as caught:\n    pass\nassert 'gone' in str(caught.value)",
        "with raises(TableError) as caught:\n    pass\nassert str(caught.value).startswith('gone')",
        "said('segments is 0; it must be more')",
        "assert message == f'{name} is 0: raise it'",
    ],
)
def test_a_sentence_of_a_refusal_is_found(source: str) -> None:
    assert len(list(pins(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "with pytest.raises(ValueError, match='segments'):\n    pass",
        "with pytest.raises(TableError) as caught:\n    pass\nassert 'secret' not in str(caught.value)",
        "with refused(InputError, 'segments', 0, rule='at least 1'):\n    pass",
        "'''What it must be.'''",
    ],
)
def test_a_fact_of_a_refusal_is_none(source: str) -> None:
    assert list(pins(source)) == []
