"""Every safeguard of the product, missing: what the tests beside it must notice."""

from tests.mutants.safeguards import bounds, commit, identity, limit, pace, proof, seal, walk

SAFEGUARDS = tuple(
    mutant for group in (proof, seal, walk, commit, identity, bounds, limit, pace) for mutant in group.SAFEGUARDS
)
