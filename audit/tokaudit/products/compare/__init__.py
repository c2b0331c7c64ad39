"""Comparison of tokenizers: the texts to run, and the minimal text that shows a difference."""
