"""Helpers around the ids: intervals, padding, labels, and special-token literals in user text."""
