"""The stack that `skipscan deploy` makes with boto3 alone, from the template and the zip in the wheel."""
