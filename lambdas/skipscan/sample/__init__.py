"""What random segments of a source say about all of it: which to read, how, and the figures with their intervals."""
