"""Prints what parliament finds in policies, in the Python of .venv-tools: `python parliament_findings.py FILE`.

FILE has an object of policy documents by name. A line of JSON for each finding: the policy, the issue and the detail.
"""

import json
import sys
from pathlib import Path

import parliament  # type: ignore[import-not-found]  # of another virtual environment

for name, document in json.loads(Path(sys.argv[1]).read_text()).items():
    for finding in parliament.analyze_policy_string(json.dumps(document)).findings:
        sys.stdout.write(json.dumps([name, finding.issue, finding.detail], default=str) + "\n")
