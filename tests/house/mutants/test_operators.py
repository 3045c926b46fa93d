"""Operators, each on a few lines: what they change, and that all other text stays."""

import ast
from textwrap import dedent

import pytest

from tests.house.mutants.nodes import (
    AddressError,
    argument,
    assignment,
    boolean,
    call,
    choice,
    comparison,
    constant,
    for_,
    handler,
    if_,
    named,
    returned,
    statement,
    with_,
)
from tests.house.mutants.operators import (
    Operator,
    add_arguments,
    always,
    becomes,
    compare,
    drop,
    drop_key,
    drop_keyword,
    insert_after,
    insert_before,
    instead,
    keep,
    negate,
    never,
    one_round,
    return_early,
    set_key,
    set_value,
    swallow,
    swap,
    unwrap,
    widen,
)
from tests.house.mutants.source import Source

pytestmark = pytest.mark.slow

SOURCE = dedent('''
    """A module."""
    WAIT = 30.0  # seconds

    class Store:
        def put(self, name, body):
            """Put an object."""
            tag = {"Tagging": TAG, "Other": 1}
            for race in range(3):
                try:
                    self.client.put_object(
                        Key=name,  # a comment within a call
                        IfNoneMatch="*",
                    )
                except ClientError as error:
                    if status(error) == 412:
                        return False
                    elif status(error) != 409 or race == 2:
                        raise PutError(f"{name}: {status(error)} is a refusal") from None
                    log(error)
                else:
                    return True
            self.done += len(body) + 1
            with scrubbed():
                first(name)
                second(tag)
            return [each for each in self.names if each.size > WAIT] if body else list(self.names)
''')
ONE = Source(SOURCE)

LIST = "[each for each in self.names if each.size > WAIT]"
RACE = "status(error) != 409 or race == 2"
CASES = [
    (drop(statement("done")), "self.done += len(body) + 1", "pass"),
    (drop(call("log")), "log(error)", "pass"),
    (drop(comparison("409")), RACE, "(race == 2)"),
    (drop(constant("1", within=statement("done"))), "len(body) + 1", "len(body)"),
    (drop(comparison("size")), " if each.size > WAIT]", "]"),
    (drop(call("list")), f"{LIST} if body else list(self.names)", LIST),
    (drop_key("Tagging"), '{"Tagging": TAG, "Other": 1}', "{'Other': 1}"),
    (set_key("Other", "2"), '"Other": 1', '"Other": 2'),
    (never(if_("412")), "status(error) == 412", "False"),
    (never(comparison("412")), "status(error) == 412", "False"),
    (always(if_("409")), RACE, "True"),
    (negate(if_("412")), "status(error) == 412", "(not status(error) == 412)"),
    (negate(if_(raises="PutError")), RACE, f"(not ({RACE}))"),
    (becomes(constant("412"), "413"), "412", "413"),
    (set_value(assignment("WAIT"), "3.0"), "30.0", "3.0"),
    (set_value(argument("IfNoneMatch"), "name"), '"*"', "name"),
    (set_value(returned("True"), "False"), "return True", "return False"),
    (keep(choice("size"), "body"), f"{LIST} if body else list(self.names)", LIST),
    (keep(boolean("409"), "values.1"), RACE, "(race == 2)"),
    (instead(call("first"), "second"), "first(name)", "second(name)"),
    (instead(named("WAIT", within=comparison("size")), "TAG"), "> WAIT", "> TAG"),
    (compare(comparison("size"), ">="), "each.size > WAIT", "(each.size >= WAIT)"),
    (add_arguments(call("first"), "tag, quick=True"), "first(name)", "first(name, tag, quick=True)"),
    (widen(handler("ClientError")), "except ClientError", "except Exception"),
    (insert_before(call("log"), "first(name)"), "log(error)", "first(name)\n                log(error)"),
    (insert_after(statement("log"), "first(name)"), "log(error)", "log(error)\n                first(name)"),
    (one_round(for_("range")), "return True\n", "return True\n            break\n"),
    (return_early("7"), 'tag = {"Tagging": TAG, "Other": 1}', "return 7"),
]


@pytest.mark.parametrize(("operator", "before", "after"), CASES, ids=lambda each: getattr(each, "said", "")[:60])
def test_an_operator_changes_its_node_and_no_other_text(operator: Operator, before: str, after: str) -> None:
    assert SOURCE.count(before) == 1
    changed = applied(operator)
    assert changed == SOURCE.replace(before, after)
    compile(changed, "changed", "exec")


def test_a_keyword_is_dropped_from_its_call() -> None:
    changed = applied(drop_keyword("put_object", "IfNoneMatch"))
    assert "self.client.put_object(Key=name)\n" in changed
    assert without_lines(changed, "put_object", ")", "Key") == without_lines(SOURCE, "put_object", ")", "Key", "IfNone")


def test_a_handler_that_swallows_does_nothing() -> None:
    changed = applied(swallow(handler("ClientError")))
    caught = next(each for each in ast.walk(ast.parse(changed)) if isinstance(each, ast.ExceptHandler))
    assert {type(each) for each in caught.body} == {ast.Pass}


def test_a_with_is_unwrapped() -> None:
    changed = applied(unwrap(with_("scrubbed")))
    assert "        first(name)\n        second(tag)\n" in changed
    assert "scrubbed" not in changed


def test_two_statements_are_swapped() -> None:
    changed = applied(swap(statement("first"), statement("second")))
    assert "            second(tag)\n            first(name)\n" in changed


def test_a_node_of_an_f_string_and_an_elif_are_replaced_with_what_is_around_them() -> None:
    assert "f'{name}: {0} is a refusal'" in applied(becomes(call("status", within=statement("PutError")), "0"))
    assert "elif" not in applied(drop(if_("409")))


def test_the_defect_of_a_helper_is_found_from_what_calls_it() -> None:
    """A function that was split is still one address."""
    split = Source("def put():\n    return _ask(1)\n\ndef _ask(n):\n    return head(Key=n, Strong=True)\n")
    scope = split.scope("put")
    assert scope is not None
    assert "head(Key=n)" in drop_keyword("head", "Strong").applied(split, scope)


@pytest.mark.parametrize(
    ("operator", "said"),
    [
        (drop(call("nobody")), "no call nobody there"),
        (never(if_()), "2 times if, in lines 16, 18: name what only one of them refers to, what it is within, or"),
        (drop(comparison("error")), "no comparison `error` there"),  # a local variable's name says nothing
        (becomes(constant("412"), "unknown_name"), "unknown_name has unknown_name, a name that is not there"),
        (becomes(constant("412"), "self._unknown"), "self._unknown has _unknown, an attribute that is not there"),
        (keep(choice("size"), "left"), "a IfExp has no left"),
        (drop(named("name", within=argument("Key"))), "a part of keyword cannot be left out"),
        (set_value(if_("412"), "1"), "the if `412` has no value"),
    ],
)
def test_an_operator_that_finds_no_node_or_several_says_so(operator: Operator, said: str) -> None:
    with pytest.raises(AddressError) as raised:
        applied(operator)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("def put(key):\n    return client.put_object(Key=key, IfNoneMatch='*')\n", True),
        ("def put(name):\n    return client.put_object(\n        Key=name,\n        IfNoneMatch='*',\n    )\n", True),
        ("def put(name):\n    log('put')\n    return other.put_object(IfNoneMatch='*', Key=name)\n", True),
        ("def put(name):\n    return client.put_object(Key=name)\n", False),
    ],
)
def test_an_address_holds_whatever_a_variable_is_called_and_however_lines_are_broken(text: str, fits: bool) -> None:
    assert bool(argument("IfNoneMatch", within=call("put_object")).found(Source(text), Source(text).tree)) is fits


def applied(operator: Operator) -> str:
    scope = ONE.scope("Store.put")
    if operator.said.startswith("assignment WAIT"):
        scope = ONE.tree
    assert scope is not None
    return operator.applied(ONE, scope)


def without_lines(text: str, *parts: str) -> list[str]:
    return [
        line for line in text.splitlines() if not line.strip().startswith(parts) and not any(p in line for p in parts)
    ]
