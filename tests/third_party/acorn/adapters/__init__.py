"""Ways to run a tokenizer."""
