"""The followers of a table's stream."""
