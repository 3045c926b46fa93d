"""The states of the listing."""
