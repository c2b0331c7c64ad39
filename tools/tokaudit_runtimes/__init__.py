"""Measures of the referee: faults in a wrapped engine, and a page of findings on runtimes."""
