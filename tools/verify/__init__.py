"""The reality kit: checks in a real account what Skipscan assumes of AWS.

`python -m verify --env ENV` makes small tables and a few other resources, tries one assumption after the other, removes
everything and writes a report. docs/verify.md says what it costs and which permissions it needs. Every key value that
it uses is made up.
"""
