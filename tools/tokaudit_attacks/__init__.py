"""Attacks on the audit itself, many times over: on a worker's folder, and by killed workers."""
