"""Ids on disk: whether a tokenizer has written them, which of several has, and their stamp."""
