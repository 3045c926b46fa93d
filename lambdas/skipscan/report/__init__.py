"""The page that shows a run: read from what the run left on S3, drawn on a laptop, never in a Lambda."""
