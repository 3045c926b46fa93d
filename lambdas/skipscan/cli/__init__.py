"""The command line: the same core as the deployed job, from a laptop, without a deployment."""
