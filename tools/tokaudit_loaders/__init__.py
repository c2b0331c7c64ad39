"""Draws what settings make versions of transformers refuse a tokenizer, and records it."""
