"""The reality kit itself: what it says, reports and lists. What its checks find is in tests/engines/e2e/verify."""
