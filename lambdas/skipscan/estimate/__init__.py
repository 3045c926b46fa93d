"""What a run will take, from a sample: plan before you spend."""
