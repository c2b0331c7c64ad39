"""Ids on disk by pieces, each of which is measured by a worker that is handed the file."""
