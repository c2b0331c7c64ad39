"""Train a tokenizer from a recipe and a corpus; start at `train`."""
