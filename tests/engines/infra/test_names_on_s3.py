"""For all names of tables and work: no two objects share a name, and rewritten objects are never denied."""

import re
from collections import Counter
from collections.abc import Iterable
from fnmatch import translate
from itertools import product

import pytest

from skipscan.environment import KINDS
from skipscan.loop.layout import Layout
from skipscan.pace.bill import Amounts
from tests.engines.infra.template import Template
from tests.fakes.iam.policy import listed

pytestmark = pytest.mark.xdist_group("synth")

FOLDERS = (
    *("keys", "failed", "checkpoints", "allotments", "errors", "diff", "finished"),
    *(kind.folder for kind in KINDS.values()),
)
OBJECTS = ("plan.json", "manifest.json", "unfinished.json", "diff.json")
NAMES = (*FOLDERS, *OBJECTS, "worker-0000", "part-00000.jsonl", "by-day", "skipscan")
LAYOUTS = [
    Layout("skipscan", table, kind.folder, name, kind.lines)
    for (table, kind, name) in product(FOLDERS, KINDS.values(), NAMES)
]


def once(layout: Layout) -> list[str]:
    """Return the objects that are written once and cannot be overwritten."""
    always = [layout.plan, layout.manifest, layout.part(0, 0), layout.checkpoint(0, 0, "a")]
    return [*always, layout.diff, layout.diff_part("new", 0)] if layout.folder == "runs" else always


def anew(layout: Layout) -> list[str]:
    """Return what may be put again."""
    entries = [layout.entry(scope, "2026-01-01T00:00:00+00:00") for scope in ("table", *FOLDERS)]
    return [
        layout.unfinished,
        layout.allotment(0, 0, "a", Amounts()),
        layout.error(0),
        *(entries if layout.folder == "runs" else ()),
    ]


@pytest.fixture(scope="module")
def denied(plain: Template) -> re.Pattern[str]:
    """Names that the bucket's policy protects from overwriting."""
    [statement] = plain.statements("s3:PutObject", "AWS::S3::BucketPolicy")
    return matching(plain.text(resource).removeprefix("the bucket/") for resource in statement["Resource"])


def matching(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of all names that these of IAM match. A star crosses slashes; none is tried twice."""
    return re.compile("|".join(map(translate, patterns)))


def test_no_name_that_a_user_chooses_makes_two_objects_one() -> None:
    names = Counter(name for layout in LAYOUTS for name in (*once(layout), *anew(layout)))
    assert [name for name, times in names.items() if times > 1] == []


def test_what_may_be_put_again_is_denied_under_no_name(denied: re.Pattern[str]) -> None:
    """The bucket would refuse it after a job had written its items."""
    assert [name for layout in LAYOUTS for name in anew(layout) if denied.fullmatch(name)] == []


def test_what_is_put_once_is_protected_under_every_name(denied: re.Pattern[str]) -> None:
    assert [name for layout in LAYOUTS for name in once(layout) if not denied.fullmatch(name)] == []


def test_no_role_reaches_into_the_folder_of_another_kind(full: Template, company: Template) -> None:
    """Statements name a kind's folder between stars; the same names one level lower must not match them."""
    written = written_by(full) | written_by(company)
    by_folder = {kind.folder: {each for each in written if f"/{kind.folder}/" in each} for kind in KINDS.values()}
    assert all(by_folder.values())
    for folder, resources in by_folder.items():
        pattern = matching(resources)
        others = [layout for layout in LAYOUTS if layout.folder != folder]
        assert [name for each in others for name in (*once(each), *anew(each)) if pattern.fullmatch(name)] == []


def written_by(template: Template) -> set[str]:
    """Return the resources that roles may put objects to, below the folder of a kind."""
    statements = template.statements("s3:PutObject", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy")
    resources = {template.text(each) for statement in statements for each in listed(statement["Resource"])}
    below = {resource.removeprefix("the bucket/") for resource in resources}
    return {each for each in below if any(f"/{kind.folder}/" in each for kind in KINDS.values())}
