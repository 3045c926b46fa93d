"""The figures of docs/questions.md: `python -m benchmarks.questions.document` writes them from results.json."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.kept import with_block
from benchmarks.questions.answer import Answer
from benchmarks.questions.results import Results

DOCUMENT = Path(__file__).parents[2] / "docs/questions.md"
BEGIN, END = "<!-- figures:begin -->\n", "<!-- figures:end -->"


def table(answers: Sequence[Answer]) -> str:
    rows = [
        "| question | way | lines | read units | per line | requests | seconds | whole dollars |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    return "\n".join([*rows, *map(_row, answers)])


def _row(answer: Answer) -> str:
    way, found = answer.way, answer.found
    dollars = f"{way.dollars:.5f}" if way.dollars < 0.1 else f"{way.dollars:,.2f}"
    name = f"**{way.name}**" if found else way.name
    units = f"{way.read_units:,.1f}" if way.read_units else ""
    each = f"{way.read_units / found:.2f}" if found else ""
    lines, requests = (f"{number:,}" if number else "" for number in (found, way.requests))
    seconds = "" if way.seconds is None else f"{way.seconds:,.0f}"
    return f"| {answer.question} | {name} | {lines} | {units} | {each} | {requests} | {seconds} | {dollars} |"


def put_in(document: str, results: Results) -> str:
    """Return the text of the page with the figures between their marks."""
    block = (
        f"Counted on {results.measured}. The blog's table, 2 million keys with 1,000 items of 500 bytes each, a day "
        f"apart or of four types:\n\n{table(results.blog)}\n\n"
        "The demo's table, 400 customers with 213 orders on average; its groups are months:\n\n"
        f"{table(results.demo)}\n"
    )
    return with_block(document, BEGIN, END, block)


def put_in_docs(results: Results) -> None:
    DOCUMENT.write_text(put_in(DOCUMENT.read_text(), results))


if __name__ == "__main__":
    put_in_docs(Results.load())
