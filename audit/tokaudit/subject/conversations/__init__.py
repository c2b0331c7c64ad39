"""Conversations as people keep them: rows of a file, each in one of the usual forms."""
