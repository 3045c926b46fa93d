"""`python -m benchmarks.first_items` prints the quick form; `--full` renews results.json and docs/first-items.md."""

import sys

from benchmarks.first_items import quick
from benchmarks.first_items.blog import blog
from benchmarks.first_items.demo import demo
from benchmarks.first_items.document import put_in_docs
from benchmarks.first_items.results import Results

if "--full" in sys.argv[1:]:
    results = Results.measured_now(demo(rounds=3), blog(share=0.1))
    results.save()
    put_in_docs(results)
else:
    quick()
