"""The requests of a listing: planning, sample, prices, overlap."""
