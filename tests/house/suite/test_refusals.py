"""Refusals are data: the product builds each of them so, and tests check them so, with `tests.refusal`.

Only golden texts and the listed tests hold their sentences.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skipscan.errors import SkipscanError
from tests.house.sources import parsed
from tests.refusal import PHRASE

GOLDEN = {
    "tests/engines/infra/machines/test_definitions.py": "a cause as a person reads it in the console and in a terminal",
    "tests/engines/infra/test_cdk_json.py": "what a person reads when synth stops",
    "tests/house/docs/test_read_on.py": "where a message names its page",
    "tests/unit/cli/main/test_words.py": "where a message names its page",
    "tests/unit/cli/test_options.py": "the options of a command in the place of fields",
    "tests/house/layers/test_core_imports.py": "the words are those of its own guard, and no refusal",
    "tests/house/installed/test_command.py": "a person reads it beside the policy that it is about",
    "tests/unit/infra/test_target.py": "what a person reads when `make` stops",
}
"""The tests that check the words of refusals, and why."""

SENTENCE = re.compile(r"\bit must be\b|\bdid you mean\b|\bcorrect it\b|\b(leave|raise|lower) (it|[\w.]+ out)\b")
IN_LITERALS = re.compile(SENTENCE.pattern.replace(" ", r"""[\s"'frb]+"""))
"""The same in a source, where a text may be written in pieces."""

STDERR = re.compile(r"\.(std)?err\b")


def kin(error: type[SkipscanError]) -> set[str]:
    return {error.__name__}.union(*map(kin, error.__subclasses__()))


REFUSALS = kin(SkipscanError) | {"CdkJsonError"}
CAUGHT = re.compile(rf"\(\s*({'|'.join(REFUSALS)})\b")


def pins(source: str) -> Iterator[int]:
    """Yield the lines that hold a refusal to its English.

    They are a `match` of a refusal, the text of a caught refusal (but not where a word must be absent), a text that has
    the words of a rule or a way out, and a phrase that a command must have written to stderr.
    """
    is_caught = CAUGHT.search(source) and ("match" in source or "str(" in source)
    if not (is_caught or STDERR.search(source) or IN_LITERALS.search(source)):
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
    for node in nodes:
        match node:
            case ast.Compare(left, [ast.In() | ast.Eq()], [right]) if {text_of(left), text_of(right)} & caught:
                yield node.lineno
            case ast.Compare(left, [ast.In() | ast.Eq()], [right]) if any(map(is_stderr, (left, right))):
                if any(PHRASE.search(words_of(side)) for side in (left, right)):
                    yield node.lineno
            case ast.Attribute(value, "startswith" | "endswith") if text_of(value) in caught:
                yield node.lineno


def text_of(node: ast.AST) -> str:
    """Return the name of the error whose text an expression is: `str(name.value)`."""
    match node:
        case ast.Call(ast.Name("str"), [ast.Attribute(ast.Name(name), "value")]):
            return name
    return ""


def is_stderr(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr in {"stderr", "err"} for part in ast.walk(node))


def words_of(node: ast.AST) -> str:
    """Return a text without what it is filled with."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.JoinedStr(values):
            return "{}".join(map(words_of, values))
    return ""


WITHOUT_A_WAY = {
    "scrub": "what helps depends on the code of AWS, which docs/errors.md explains; most pass by themselves",
    "Prompter.demand": "a person said no",
}
"""The functions whose errors have no way out of their own, and why."""


def sentences(source: str) -> Iterator[tuple[str, int]]:
    """Yield where an error of the product is built without a rule or a way out: the function, and the line."""
    pending: list[tuple[str, ast.AST]] = [("", ast.parse(source))]
    while pending:
        place, node = pending.pop()
        match node:
            case ast.ClassDef(name) | ast.FunctionDef(name):
                place = f"{place}.{name}".removeprefix(".")
            case ast.Call(ast.Name(error), texts, keywords) if error in REFUSALS - {"CdkJsonError"}:
                named = {keyword.arg for keyword in keywords}
                if (len(texts) < 3 and "rule" not in named) or (len(texts) < 4 and "remedy" not in named):
                    yield place, node.lineno
        pending += [(place, child) for child in ast.iter_child_nodes(node)]


def test_every_refusal_of_the_product_has_a_rule_and_a_way_out() -> None:
    files = [path for folder in ("lambdas", "infra") for path in sorted(Path(folder).rglob("*.py"))]
    found = [(place, path, line) for path in files for place, line in sentences(path.read_text(encoding="utf-8"))]
    assert [one for one in found if one[0] not in WITHOUT_A_WAY] == []
    assert {place for place, _, _ in found} == WITHOUT_A_WAY.keys()


@pytest.mark.parametrize(
    "source",
    [
        "def stop():\n    raise InputError('segments is 0: raise it')",
        "def stop():\n    return TableError('table', name, 'it is gone')",
        "def stop():\n    raise NotFoundError('run', remedy='start one')",
    ],
)
def test_an_error_without_a_rule_or_a_way_out_is_found(source: str) -> None:
    assert list(sentences(source)) == [("stop", 2)]


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
        "assert (done.status, f'{run} is running and has no results yet' in done.stderr) == (1, True)",
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
        "assert f'`skipscan resume {run} --env dev`' in done.stderr",
        "'''What it must be.'''",
    ],
)
def test_a_fact_of_a_refusal_is_none(source: str) -> None:
    assert list(pins(source)) == []
