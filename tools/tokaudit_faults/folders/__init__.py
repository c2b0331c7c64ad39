"""Faults of written folders, by what they damage."""
