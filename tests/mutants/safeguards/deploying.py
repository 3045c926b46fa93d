"""The owner of stack and bucket, and consent before anything is created or removed."""

from tests.mutants.mutant import Chosen, mutant

DEPLOYING = Chosen(("tests/cli/stack/test_deploying.py",))
DESTROYING = Chosen(("tests/cli/stack/test_destroying.py",))
BUCKET = Chosen(("tests/cli/stack/test_code_bucket.py",))
WANTED = Chosen(("tests/cli/stack/test_wanted.py",))

SAFEGUARDS = (
    mutant("whose stack it is", "if self.tags.get(MARK) != BY:", "if False:", DEPLOYING),
    mutant(
        "the mark of a stack", "tags={**(before.tags if before else {}), **tags, MARK: BY}", "tags={**tags}", DEPLOYING
    ),
    mutant("the owner of the bucket for code", '"ExpectedBucketOwner": self.place.account}', "}", BUCKET),
    mutant("a private bucket for code", "if self._blocked() != PRIVATE:", "if False:", BUCKET),
    mutant("TLS alone for code", "if wanted != policy:", "if False:", BUCKET),
    mutant("others' statements about the bucket", "[*statements, self._tls_only()]", "[self._tls_only()]", BUCKET),
    mutant("the code that was deployed", "if self._digest(name) != digest:", "if self._digest(name) is None:", BUCKET),
    mutant("a bucket of another region", "if region != self.place.region:", "if False:", BUCKET),
    mutant(
        "a question before a deployment", 'if not self.talk.confirm(f"Apply', 'if self.talk.confirm(f"Carry', DEPLOYING
    ),
    mutant("a declined change set", "            made.discard()\n", "", DEPLOYING),
    mutant("another user's pending change set", "made_stack=before is None", "made_stack=deployed is None", DEPLOYING),
    mutant(
        "a stack that is worked on",
        'if self.status.endswith("_IN_PROGRESS"):\n            raise',
        "if False:\n            raise",
        DEPLOYING,
    ),
    mutant("tables that do not exist", "self._check_tables(wanted.names(self.place))", "pass", DEPLOYING),
    mutant("a protected stack", "if found.is_protected:", "if False:", DESTROYING),
    mutant(
        "tables of another account",
        'if arn and (arn["account"], arn["region"])',
        'if False and (arn["account"], arn["region"])',
        WANTED,
    ),
)
