"""Results in a folder of this machine: the kernel's storage on a laptop, and the lock that guards it."""
