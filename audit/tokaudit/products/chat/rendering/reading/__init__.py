"""Reads the syntax tree of a template; none of it is run."""
