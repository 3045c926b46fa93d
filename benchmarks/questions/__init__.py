"""What do levels, items of a range and counts take, beside what people do today? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "What do the items of a day, the levels and the counts of each key take?"
MEASURED = (
    "The blog's table as a formula, with a run for each question, beside a full scan with a filter, an export with "
    "Athena and a new index by the price list."
)


def quick() -> dict[str, Any]:
    from benchmarks.questions.blog import blog  # noqa: PLC0415 - boto3 is slow to import
    from benchmarks.questions.document import table  # noqa: PLC0415

    tables = {"blog": blog()}  # the demo's table takes an engine, and the question of last items has it
    for answers in tables.values():
        print(f"{table(answers)}\n")
    return {
        "questions": {
            name: [
                {
                    "question": answer.question,
                    "way": answer.way.name,
                    "found": answer.found,
                    "read_units": answer.way.read_units,
                    "requests": answer.way.requests,
                    "dollars": answer.way.dollars,
                }
                for answer in answers
            ]
            for name, answers in tables.items()
        }
    }


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how each question's run stands beside the ways that answer it, by dollars; a scan also by read units."""
    for answers in figures["questions"].values():
        ours = [answer for answer in answers if answer["found"]]
        for run in ours:
            for peer in answers:
                if peer["found"] or peer["question"] not in (run["question"], "each of them"):
                    continue
                for kind, figure in ((Kind.COUNT, "read_units"), (Kind.BILL, "dollars")):
                    if peer[figure]:
                        label = f"{figure.replace('_', ' ')}, {run['question']}"
                        yield Standing.less(kind, peer["way"], label, run[figure], peer[figure])
