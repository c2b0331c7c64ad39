"""Formats of ids on disk, one module each."""
