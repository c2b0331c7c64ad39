"""Ids on disk and their tokenizer, in the form that checks use."""
