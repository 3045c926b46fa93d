"""The CDK app's constructs: what `app.py` deploys, one noun a file."""
