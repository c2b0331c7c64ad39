"""Texts that show what a setting does, run on both sides as loaders act: `shown` is the door."""
