"""Counts of ids, without decoding any."""
