"""Trains a tokenizer from a corpus, and writes it as a folder that loaders take."""
