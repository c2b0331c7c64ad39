"""Compares subjects with all that runs them: two of them, each with each, and side by side."""
