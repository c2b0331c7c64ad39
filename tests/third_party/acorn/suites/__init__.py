"""Checks, and what they ask for."""
