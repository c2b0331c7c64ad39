"""Adapters: one module per external tokenizer, imported inside the worker only."""
