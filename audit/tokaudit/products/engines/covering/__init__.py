"""Texts that cover a spec: each path through its steps, merges and added tokens."""
