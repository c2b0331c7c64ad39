"""Texts that cover a spec: each way through its steps, its merges, its added tokens."""
