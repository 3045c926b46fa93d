"""The requests that retrofit, copy and act share."""
