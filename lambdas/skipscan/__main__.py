"""`python -m skipscan`."""

from skipscan.cli.main import main

main()
