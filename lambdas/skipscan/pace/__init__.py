"""How fast requests may follow each other: rate, budget and backoff. No clock, no sleep."""
