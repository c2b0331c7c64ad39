"""Ids on disk in pieces, each measured by a worker that is handed the file."""
