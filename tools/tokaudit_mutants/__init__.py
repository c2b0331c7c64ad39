"""Scores the audit on named operators, each of which breaks one thing in a real tokenizer."""
