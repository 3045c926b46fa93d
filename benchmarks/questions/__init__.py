"""What do levels, items of a range and counts take, beside what people do today? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing


def quick() -> dict[str, Any]:
    from benchmarks.questions.blog import blog  # noqa: PLC0415 - boto3 is slow to import
    from benchmarks.questions.demo import demo  # noqa: PLC0415
    from benchmarks.questions.document import table  # noqa: PLC0415

    tables = {"demo": demo(), "blog": blog()}
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
    for name, answers in figures["questions"].items():
        ours = [answer for answer in answers if answer["found"]]
        for run in ours:
            for peer in answers:
                if peer["found"] or peer["question"] not in (run["question"], "each of them"):
                    continue
                for figure in ("read_units", "dollars"):
                    if peer[figure]:
                        label = f"{name}: {run['question']}, {figure.replace('_', ' ')}"
                        yield Standing.less(peer["way"], label, run[figure], peer[figure])
