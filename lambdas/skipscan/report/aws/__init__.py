"""The handler of the report page."""
