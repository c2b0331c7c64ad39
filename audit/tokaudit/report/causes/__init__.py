"""Which findings are faults, and which are what those faults lead to."""
