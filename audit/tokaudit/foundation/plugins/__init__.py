"""Plug-in mechanism: declared packages, their contents, and their lists of checks."""
