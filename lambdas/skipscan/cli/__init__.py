"""The command line: runs the same core as the deployed functions, or starts and watches a deployment."""
