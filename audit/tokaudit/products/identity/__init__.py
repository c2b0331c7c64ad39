"""Identity of a tokenizer: canonical hashes of components, and their manifest."""
