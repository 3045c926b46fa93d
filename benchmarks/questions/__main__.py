"""`python -m benchmarks.questions` prints the figures; `--full` renews results.json and docs/questions.md."""

import sys

from benchmarks.questions import quick
from benchmarks.questions.blog import blog
from benchmarks.questions.demo import demo
from benchmarks.questions.document import put_in_docs
from benchmarks.questions.results import Results

if "--full" in sys.argv[1:]:
    results = Results.measured_now(demo(), blog())
    results.save()
    put_in_docs(results)
else:
    quick()
