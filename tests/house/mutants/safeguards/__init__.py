"""Every safeguard of the product, removed: the tests named here must notice."""

from tests.house.mutants.safeguards import (
    adversary,
    bounds,
    commit,
    deploying,
    fences,
    folder,
    identity,
    limit,
    money,
    pace,
    proof,
    seal,
    take,
    unseen,
    walk,
    writes,
)

SAFEGUARDS = tuple(
    mutant
    for group in (
        proof,
        seal,
        walk,
        take,
        commit,
        folder,
        identity,
        fences,
        bounds,
        limit,
        money,
        pace,
        writes,
        deploying,
        unseen,
        adversary,
    )
    for mutant in group.SAFEGUARDS
)
