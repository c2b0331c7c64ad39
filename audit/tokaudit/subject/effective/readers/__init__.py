"""Readers other than transformers, and the values that they use from a folder."""
