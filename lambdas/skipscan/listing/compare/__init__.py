"""Which keys are new and which have vanished between two runs."""
