"""The page that shows a run or job: read from what it left on S3, and drawn with the standard library alone.

No boto3 here, so the page can be drawn on a laptop and in a Lambda.
"""
