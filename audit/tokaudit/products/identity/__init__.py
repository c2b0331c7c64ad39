"""The identity of a tokenizer: a canonical hash for each component, and the manifest of them."""
