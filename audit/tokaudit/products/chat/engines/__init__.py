"""Installed template engines other than Jinja, run in a worker."""
