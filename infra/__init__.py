"""The constructs of the CDK app that `app.py` deploys. One noun a file."""
