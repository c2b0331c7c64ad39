"""Templates over the grammar of what clients send: their faults, and the values these come with."""
