"""Estimate from a sample what a run will take, before it spends anything."""
