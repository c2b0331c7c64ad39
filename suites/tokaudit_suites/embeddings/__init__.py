"""Embedding and output rows against the ids that the tokenizer can give."""
