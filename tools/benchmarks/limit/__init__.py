"""How near the choice of the Limit is to the best possible one."""
