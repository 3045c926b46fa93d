"""Results in a local folder: the kernel's storage on a laptop, and the folder's lock."""
