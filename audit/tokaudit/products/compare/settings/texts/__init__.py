"""Texts that show the effect of a setting, run on both sides; start at `shown`."""
