"""API for ids on disk: examination, attribution to a tokenizer, and stamps."""
