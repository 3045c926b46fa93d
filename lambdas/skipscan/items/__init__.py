"""Jobs that walk over all items of a table and write: what retrofit and copy share."""
