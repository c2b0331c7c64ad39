"""Every algorithm of the field in plain Python: exact, readable, and nobody's production code."""
