"""The embedded AWS of the environment `local`: DynamoDB by dynalite, everything else by MiniStack."""
