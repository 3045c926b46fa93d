"""What Skipscan takes, measured by its own path with its defaults: `python -m benchmarks`."""
