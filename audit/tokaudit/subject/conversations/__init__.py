"""Conversations in data files: rows, each in one of the usual forms."""
