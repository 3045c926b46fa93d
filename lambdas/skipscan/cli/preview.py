"""The preview of a job on a terminal: what it would write, what that costs, and what cannot be undone.

All jobs have the same table of rows. A row that does not concern a job is left out.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from skipscan.act.input import DECIDED
from skipscan.cli.advice import option_name
from skipscan.dynamodb.prices import Prices
from skipscan.inputs.quantities import counted, duration, enumerated, named_counts, rounded, size, units
from skipscan.pace.bill import LEFT_OUT
from skipscan.stored.figures import BUDGETS, NO_LIMIT, RATES, of_dollars, of_limits, of_prices

Facts = Mapping[str, Any]
"""The fields of a job's input, and over them those of its explanation."""


def job_preview(kind: str, facts: Facts) -> RenderableType:
    """Return the preview of a job: what it does, one row for each figure, and warnings."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim")
    rows.add_column(overflow="fold")
    for label, texts in ROWS.items():
        for number, text in enumerate(texts(facts)):
            rows.add_row("" if number else label, text, style="bold" if label in PROMINENT else "")
    warnings = [Text(f"! {warning}", style="yellow") for warning in _warnings(facts)]
    prices = Prices.of_any_version(facts["prices"])
    return Group(
        Text(TITLES[kind](facts), style="bold"),
        "",
        rows,
        "",
        *warnings,
        Text(f"Dollars: the whole bill but {LEFT_OUT}. Prices: {of_prices(prices)}.", "dim"),
    )


def _act(facts: Facts) -> str:
    action = DECIDED[facts["action"]]
    what = f"{action.summary[0].lower()}{action.summary[1:]}"
    return f"Table {facts['table']}: {what} {action.parse(facts.get(action.name, facts.get('undo'))).effect}"


def _retrofit(facts: Facts) -> str:
    does = enumerated([f"{verb} {enumerated([*facts[verb]])}" for verb in ("set", "remove") if facts[verb]])
    lost = (
        "Values that are overwritten or removed are lost" if facts["remove"] else "Other values there are overwritten"
    )
    return (
        f"{does[0].upper()}{does[1:]} {'on' if facts['set'] else 'from'} the items of table {facts['table']}. {lost}."
    )


def _copy(facts: Facts) -> str:
    table, to = facts["table"], facts["to"]
    if facts["compare_only"]:
        return f"Compare the items of table {table} with those of table {to}. Nothing is written to the tables."
    created = f" Table {to} is created if it does not exist." if facts.get("create") else ""
    return f"Copy the items of table {table} to table {to}. The replicator overwrites items there that differ.{created}"


TITLES: Mapping[str, Callable[[Facts], str]] = {"act": _act, "retrofit": _retrofit, "copy": _copy}
"""By kind, what the job does and what becomes of the items that exist."""


def _writes(facts: Facts) -> Iterator[str]:
    if "action" in facts:
        most = f"{'up to ' if facts['skip_ended'] else ''}{rounded(facts['keys'])}"
        writes, each = DECIDED[facts["action"]].writes_are, _line(facts)
        yield f"{most} {writes}, one for each {each}" if writes else f"none to the table; {most} keys are handed over"
    elif "expected" in facts:
        yield f"{rounded(facts['expected']['written'])} of {_items(facts)}"
    elif facts["compare_only"]:
        yield "none"
    else:
        yield _items(facts)


def _line(facts: Facts) -> str:
    """Return what a line of an act's run is."""
    return "item" if DECIDED[facts["action"]].takes_items else "key"


def _items(facts: Facts) -> str:
    are = "" if facts["items_are"] == "counted" else f" ({facts['items_are']})"
    return f"{counted(facts['items'], 'item')}{are}"


def _dollars(facts: Facts) -> Iterator[str]:
    total, of_units = facts["dollars"]["total"], facts["dollars"]["units"]
    whole = of_dollars(facts["dollars"], total, of_units, is_billed=bool(of_units))
    yield f"{whole.words}, {whole.note}" if of_units else whole.words


def _time(facts: Facts) -> Iterator[str]:
    minutes = facts["minutes"]
    took = "less than a minute" if minutes < 1 else f"about {duration(minutes * 60)}"
    segments = f" and {counted(facts['segments'], 'segment')}" if facts.get("segments") else ""
    requests = f", {counted(facts['requests'], 'request')}" if facts.get("requests") else ""
    yield f"{took} with {counted(facts['workers'], 'worker')}{segments}{requests}"


def _write_units(facts: Facts) -> Iterator[str]:
    if not facts["write_units"]:
        return
    each = next(facts[name] for name in facts if name.startswith("write_units_per_"))
    yield f"{units(facts['write_units'])}; for each write {_by_index(each)}"
    if "write_units_are" in facts:
        yield facts["write_units_are"]


def _by_index(each: Mapping[str, float]) -> str:
    """Return write units by what they are for: 1 to the table, 0.5 to index by-kind."""
    return ", ".join(f"{n:,g} to {'the table' if name == 'table' else f'index {name}'}" for name, n in each.items())


def _read_units(facts: Facts) -> Iterator[str]:
    if facts.get("read_units"):
        yield units(facts["read_units"])
        if "read_units_are" in facts:
            yield facts["read_units_are"]


def _run(facts: Facts) -> Iterator[str]:
    if "run" in facts:
        hours = facts.get("run_hours", 0.0)
        age = f", {counted(round(hours), 'hour')} old" if hours >= 1 else ""
        check = "; item collections that have ended since are skipped" if facts.get("skip_ended") else ""
        yield f"{facts['run']}{age}{check}"


def _templates(facts: Facts) -> Iterator[str]:
    for name, template in (facts.get("set") or {}).items():
        yield f"{name} = {template}"
    yield from (f"{name} is removed" for name in facts.get("remove", ()))
    if facts.get("set") and "separator" in facts:
        yield f"values that contain a separator: {facts['separator']}"


def _not_written(facts: Facts) -> Iterator[str]:
    others = {name: count for name, count in facts.get("expected", {}).items() if count and name != "written"}
    if others:
        yield named_counts(others)
    if facts.get("compare_only"):
        return
    sample = facts.get("sample", {})
    for reason, count in sample.get("unset_because", {}).items():
        yield f"{count:,} of the sample's items are copied without the attribute: {reason}"


def _sample(facts: Facts) -> Iterator[str]:
    if "sample" in facts:
        sample = facts["sample"]
        yield f"{counted(sample['items'], 'item')}, for {counted(sample['read_units'], 'read unit')}"
    elif facts["item_bytes"]:
        yield f"{counted(facts['sampled_keys'], _line(facts))}; an item has {size(facts['item_bytes'])} on average"


def _first_items(facts: Facts) -> Iterator[str]:
    """Yield the distinct items: names of attributes with their types, or with their values if the input asks."""
    shown = facts["items"] if isinstance(facts.get("items"), list) else facts.get("first_items", [])
    texts = (", ".join(f"{name} {_value(value)}" for name, value in item.items()) for item in shown)
    yield from dict.fromkeys(texts)


def _value(value: Any) -> str:
    return f"({value})" if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _indexes(facts: Facts) -> Iterator[str]:
    if facts.get("indexes"):
        count = facts["count_indexes"]
        entries = f"; their entries are counted, for at most {units(count['read_units_at_most'])} read units"
        yield f"{', '.join(facts['indexes'])}{entries if count['indexes'] else ''}"


def _verification(facts: Facts) -> Iterator[str]:
    if not facts.get("verify"):
        return
    if "compared_share" not in facts:
        yield "the table is read once more at the end"
    elif facts["compared_share"] >= 1:
        yield "both tables are read, and all keys are compared"
    else:
        keys, most = facts["compared_share"] * facts["items"], facts["compared_keys_at_most"]
        yield f"both tables are read, and about {rounded(keys)} keys of each are compared ({rounded(most)} at most)"


def _later_changes(facts: Facts) -> Iterator[str]:
    if (each := facts.get("each_later_change")) and not facts["compare_only"]:
        taken = (counted(each[f"{name}_units"], f"{name} unit") for name in ("write", "read"))
        yield f"each takes the replicator {' and '.join(taken)}"


def _limits(facts: Facts) -> Iterator[str]:
    fields = {name: facts.get(name) for name in (*RATES, *BUDGETS)}
    if "max_units_per_second" in facts:  # of an act, the same as the input's, or what Plan chose
        writes = DECIDED[facts["action"]].writes
        fields["max_write_units_per_second" if writes else "max_keys_per_second"] = facts["max_units_per_second"]
    for one in of_limits(fields, overrun=facts["overrun"]):
        yield one.words if one.words != NO_LIMIT else f"{one.heading}: {one.words}"


def _after_crash(facts: Facts) -> Iterator[str]:
    if "repeat_means" in facts:
        lines = counted(facts["repeated_keys_per_worker"], _line(facts))
        yield f"each worker repeats up to {lines}: {facts['repeat_means']}"


ROWS: Mapping[str, Callable[[Facts], Iterator[str]]] = {
    "writes": _writes,
    "dollars": _dollars,
    "time": _time,
    "run": _run,
    "attributes": _templates,
    "not written": _not_written,
    "write units": _write_units,
    "read units": _read_units,
    "limits": _limits,
    "indexes": _indexes,
    "verification": _verification,
    "later changes": _later_changes,
    "after a crash": _after_crash,
    "first items": _first_items,
    "sample": _sample,
}
"""By label, what a row says of a job: one line for each text, no row for none."""

PROMINENT = ("writes", "dollars")


def _warnings(facts: Facts) -> Iterator[str]:
    writes = DECIDED[facts["action"]].writes if "action" in facts else not facts.get("compare_only")
    recovery = facts.get("point_in_time_recovery")
    is_new = recovery is None and facts.get("create")  # a copy switches it on where it creates the table
    if writes and not recovery and not is_new and not facts.get("without_recovery"):
        name = facts.get("to", facts["table"])
        state = "off" if recovery is False else "not known to be on"
        yield (
            f"Point-in-time recovery of table {name} is {state}: you cannot restore what the job overwrites. Switch it "
            f"on, or add {option_name('without_recovery')}."
        )
    expected = facts.get("expected", {})
    if expected.get("lacking") and not expected["written"]:
        yield "No item of the sample has every attribute that the templates name: check their names."
    for advice in facts.get("advice", ()):
        if isinstance(advice, str):
            yield _sentence(advice)
        else:
            yield f"{_sentence(advice['because'])} --json has the definition of the index."
    yield from facts.get("warnings", ())


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."
