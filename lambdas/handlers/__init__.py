"""One thin handler a state: it wires the clients and hands over."""
