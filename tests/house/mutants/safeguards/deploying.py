"""The owner of stack and bucket, and consent before anything is created or removed."""

from tests.house.mutants.mutant import Chosen, mutant
from tests.house.mutants.nodes import argument, boolean, call, comparison, elements, if_, statement
from tests.house.mutants.operators import becomes, drop, drop_key, never, set_value

DEPLOYING = Chosen(("tests/unit/cli/stack/test_deploying.py",))
DESTROYING = Chosen(("tests/unit/cli/stack/test_destroying.py",))
BUCKET = Chosen(("tests/unit/cli/stack/test_code_bucket.py",))
WANTED = Chosen(("tests/unit/cli/stack/test_wanted.py",))

SAFEGUARDS = (
    mutant("whose stack it is", "ExistingStack.check_whose", never(if_(raises="InputError")), DEPLOYING),
    mutant("the mark of a stack", "Deploying.deploy", set_value(argument("tags"), "{**tags}"), DEPLOYING),
    mutant("the owner of the bucket for code", "CodeBucket._named", drop_key("ExpectedBucketOwner"), BUCKET),
    mutant("a private bucket for code", "CodeBucket.secure", never(if_("PRIVATE")), BUCKET),
    mutant("TLS alone for code", "CodeBucket.secure", never(if_(then="Policy=")), BUCKET),
    mutant(
        "others' statements about the bucket", "CodeBucket.secure", drop(elements("_tls_only").part("elts.0")), BUCKET
    ),
    mutant(
        "the code that was deployed",
        "CodeBucket.upload",
        becomes(comparison("_digest"), "self._digest(name) is None"),
        BUCKET,
    ),
    mutant("a bucket of another region", "CodeBucket.exists", never(if_("region")), BUCKET),
    mutant(
        "a question before a deployment",
        "Deploying._carry_out",
        becomes(call("demand"), "self.talk.confirm(f'Apply these changes to {self.place.stack}?')"),
        DEPLOYING,
    ),
    mutant("a declined change set", "Deploying._carry_out", drop(statement("discard")), DEPLOYING),
    mutant("a change set that is refused", "Deploying._execute", drop(statement("discard")), DEPLOYING),
    mutant(
        "a stack that was deployed meanwhile",
        "cli.stack.change_set:_remove",
        becomes(boolean("PLANNED"), "made_stack and (found := find_stack(place))"),
        DEPLOYING,
    ),
    mutant(
        "a change set that Ctrl-C interrupts",
        "cli.stack.change_set:make_change_set",
        drop(statement("_remove", "False")),
        DEPLOYING,
    ),
    mutant(
        "another user's pending change set",
        "Deploying.deploy",
        becomes(argument("made_stack").part("value.left"), "deployed"),
        DEPLOYING,
    ),
    mutant("a stack that is worked on", "ExistingStack.check_idle", never(if_("endswith")), DEPLOYING),
    mutant("tables that do not exist", "Deploying.deploy", drop(statement("names")), DEPLOYING),
    mutant("a protected stack", "cli.stack.deploying:destroy_stack", never(if_(raises="InputError")), DESTROYING),
    mutant("tables of another account", "cli.stack.wanted:_names", never(boolean("account").part("values.0")), WANTED),
)
