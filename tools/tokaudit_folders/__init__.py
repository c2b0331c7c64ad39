"""Writes small tokenizers and checkpoints, sound or broken, for tests, tools and fuzz."""
