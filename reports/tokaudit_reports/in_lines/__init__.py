"""Writes the parts of a report as lines of a terminal."""
