"""How often do an estimate's intervals contain the true figure? See benchmarks/README.md; there is no quick form."""
