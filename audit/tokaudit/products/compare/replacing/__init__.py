"""Figures on which of two tokenizers is better, and at what cost."""
