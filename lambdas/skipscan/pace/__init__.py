"""How fast requests may follow each other: rate, budget and back-off. No clock, no sleep."""
