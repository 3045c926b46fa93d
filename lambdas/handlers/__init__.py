"""One thin handler for each state: it creates the clients and calls the library."""
