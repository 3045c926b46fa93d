"""What jobs that write share: the walk over all items of a table, marks of written items, templates."""
