"""Runtimes and engines of others: what they make of a tokenizer, and vectors for one's own."""
