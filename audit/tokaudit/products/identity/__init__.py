"""What a tokenizer is: one canonical hash for each component, and the manifest that keeps them."""
