"""The reality kit on the embedded AWS: what its checks find there, and that it leaves nothing behind."""
