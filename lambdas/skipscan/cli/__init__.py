"""The command line: the same core as the deployed functions, from a laptop, without a deployment."""
